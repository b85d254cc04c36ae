import Type from 'typebox'

const Name = Type.Tuple([Type.String({ minLength: 1 }), Type.String({ minLength: 1 })])
const Midi = Type.Integer({ minimum: 0, maximum: 127 })
/** A standard sound of MusicXML (MusicXML 4.0, sounds.xml): one of its families, and the names below it. */
const families =
  'brass|drum|effect|keyboard|metal|pitched-percussion|pluck|rattle|strings|synth|voice|wind|wood'
const Sound = Type.String({ pattern: `^(?:${families})(?:\\.[a-z]+(?:-[a-z]+)*)+$` })
/** A sound, or a family of sounds. */
const SoundFamily = Type.String({ pattern: `^(?:${families})(?:\\.[a-z]+(?:-[a-z]+)*)*$` })
/** A pitch: C4 is the middle C. */
const Pitch = Type.String({ pattern: '^[A-G][b#]?[0-9]$' })
const Range = Type.Tuple([Pitch, Pitch])

const Clef = strictObject({
  sign: Type.Unsafe<'G' | 'F' | 'C' | 'percussion'>({
    type: 'string',
    enum: ['G', 'F', 'C', 'percussion'],
  }),
  line: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  octaveChange: Type.Optional(Type.Integer()),
})

/** From written to sounding pitch, as in MusicXML's `transpose`. */
const Transposition = strictObject({
  chromatic: Type.Integer(),
  diatonic: Type.Integer(),
  octaveChange: Type.Optional(Type.Integer()),
})

/** One of the percussion instruments that a player strikes. */
const Drum = strictObject({
  name: Type.String({ minLength: 1 }),
  sound: Sound,
  midiNote: Midi,
  display: Type.Optional(Type.String({ pattern: '^[A-G][3-6]$' })),
  notehead: Type.Optional(
    Type.Unsafe<'x' | 'circle-x' | 'diamond' | 'triangle'>({
      type: 'string',
      enum: ['x', 'circle-x', 'diamond', 'triangle'],
    }),
  ),
})

/** The schema of an instrument in `content/instruments/`. */
export const instrumentSchema = strictObject({
  group: Type.String({ minLength: 1 }),
  id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  names: strictObject({ en: Name, fr: Name, de: Name, es: Name }),
  aliases: Type.Array(Type.String({ minLength: 1 })),
  clefs: Type.Array(Clef, { minItems: 1 }),
  staffLines: Type.Optional(Type.Integer({ minimum: 1 })),
  transposition: Type.Optional(Transposition),
  range: Type.Optional(strictObject({ full: Range, comfortable: Range })),
  sound: Sound,
  otherSounds: Type.Optional(Type.Array(SoundFamily)),
  program: Midi,
  otherPrograms: Type.Optional(Type.Array(Midi)),
  drums: Type.Optional(Type.Array(Drum, { minItems: 1 })),
  tuning: Type.Optional(Type.Array(Pitch)),
})

const GroupName = Type.String({ minLength: 1 })

/** The schema of a group in `content/instruments/groups.json`. */
export const instrumentGroupSchema = strictObject({
  id: Type.String({ pattern: '^[a-z]+(-[a-z]+)*$' }),
  names: strictObject({ en: GroupName, fr: GroupName, de: GroupName, es: GroupName }),
})

/** The schema of a program in `content/instruments/programs.json`. */
export const programSchema = strictObject({
  name: Type.String({ minLength: 1 }),
  instrument: Type.String({ minLength: 1 }),
})

/** An object without other properties. */
function strictObject<Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}
