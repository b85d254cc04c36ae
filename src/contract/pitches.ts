import Type from 'typebox'
import { extension } from './schema.ts'

/** In which pitches a score is exported. */
export const pitchFields = {
  transpose: Type.Optional(
    Type.String({
      ...extension,
      pattern: '^-?[0-9]{1,2}(,-?[0-9]{1,2})?$',
      description:
        'The interval by which the notes, key signatures and chord symbols are moved, in semitones, from -24 to 24. A second number is ' +
        'the number of steps of the staff: `3,2` is a minor third up, `3,1` an augmented second. Without it, the interval is spelled so ' +
        'that the key signature has the fewest sharps or flats. It has no effect on `thumbnail.png` and `synchronizationPoints`. ' +
        'This parameter is an extension.',
    }),
  ),
  concertPitch: Type.Optional(
    Type.Boolean({
      ...extension,
      description:
        'Whether the parts of transposing instruments show the pitches that sound (true) or those that their players read (false). ' +
        'Octaves do not count: a double bass is written an octave above its sound in both. Defaults to what the score has. ' +
        'This parameter is an extension.',
    }),
  ),
}
