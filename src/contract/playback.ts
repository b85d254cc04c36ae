import Type from 'typebox'
import { extension } from './schema.ts'

/** What is heard in a `midi`, `mp3` or `wav`. */
export const playbackFields = {
  chordSymbols: Type.Optional(
    Type.Boolean({
      ...extension,
      description:
        'For `midi`, `mp3` and `wav`: whether chord symbols are played, by a piano in a part of its own. Defaults to true if the ' +
        'notes of the exported parts have no chords, for example in a lead sheet, and to false otherwise. This parameter is an ' +
        'extension.',
    }),
  ),
}
