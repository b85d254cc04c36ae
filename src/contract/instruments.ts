import Type, { type Static } from 'typebox'
import { named, OneOf } from './schema.ts'

const MidiKey = Type.Integer({ minimum: 0, maximum: 127 })
const Range = Type.Object({ low: MidiKey, high: MidiKey })

export const Instrument = named(
  'Instrument',
  Type.Object({
    group: Type.String({
      description: 'The group of the instrument in `builderData` and in `instruments` of a score.',
    }),
    instrument: Type.String({ description: 'The id of the instrument in its group.' }),
    longName: Type.String({ description: 'In the language of the request.' }),
    shortName: Type.String({ description: 'The abbreviation, in the language of the request.' }),
    clefs: Type.Array(
      Type.Object({
        sign: OneOf(['G', 'F', 'C', 'percussion']),
        line: Type.Optional(Type.Integer()),
        octaveChange: Type.Optional(Type.Integer()),
      }),
      { description: 'One clef for each staff, from the top.' },
    ),
    staffLines: Type.Integer({ description: 'The number of lines of each staff.' }),
    transposition: Type.Optional(
      Type.Object(
        { chromatic: Type.Integer(), diatonic: Type.Integer(), octaveChange: Type.Optional(Type.Integer()) },
        {
          description: 'From the written to the sounding pitch, as in MusicXML. Absent if they are the same.',
        },
      ),
    ),
    range: Type.Optional(
      Type.Object(
        {
          full: Range,
          comfortable: Range,
        },
        {
          description:
            'MIDI keys of the lowest and the highest sounding pitch: of an experienced player, and of a player in the second ' +
            'or third year. Absent for unpitched percussion.',
        },
      ),
    ),
    tuning: Type.Optional(
      Type.Array(MidiKey, {
        description: 'The open strings from the bottom line of the tablature, as MIDI keys.',
      }),
    ),
    drums: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          sound: Type.String({ description: 'The standard sound of MusicXML.' }),
          midiNote: MidiKey,
          display: Type.Optional(
            Type.String({
              description: 'The pitch that a treble clef would show at its place on the staff.',
            }),
          ),
          notehead: OneOf(['normal', 'x', 'circle-x', 'diamond', 'triangle']),
        }),
        { description: 'The instruments that the player of unpitched percussion strikes.' },
      ),
    ),
    sound: Type.String({ description: 'The standard sound of MusicXML.' }),
    midiProgram: Type.Integer({
      minimum: 0,
      maximum: 127,
      description: 'The General MIDI program. For unpitched percussion, the kit on channel 10.',
    }),
    sample: Type.String({ description: 'The sound that plays the instrument, as in `samples` of a score.' }),
  }),
)
export type Instrument = Static<typeof Instrument>

export const InstrumentGroup = named(
  'InstrumentGroup',
  Type.Object({
    id: Type.String(),
    name: Type.String({ description: 'In the language of the request.' }),
    instruments: Type.Array(Instrument),
  }),
)
export type InstrumentGroup = Static<typeof InstrumentGroup>
