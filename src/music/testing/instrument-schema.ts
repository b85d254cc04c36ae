import Type from 'typebox'

const Name = Type.Tuple([Type.String({ minLength: 1 }), Type.String({ minLength: 1 })])
const Midi = Type.Integer({ minimum: 0, maximum: 127 })
/** A standard sound of MusicXML (MusicXML 4.0, sounds.xml). */
const Sound = Type.String({ pattern: '^[a-z]+([.-][a-z0-9]+)*$' })

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
  sound: Sound,
  otherSounds: Type.Optional(Type.Array(Sound)),
  program: Midi,
  drums: Type.Optional(Type.Array(Drum, { minItems: 1 })),
  tuning: Type.Optional(Type.Array(Type.String({ pattern: '^[A-G][b#]?[0-9]$' }))),
})

/** An object without other properties. */
function strictObject<Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}
