import Type from 'typebox'
import { type Instrument, InstrumentGroup } from '../../../contract/instruments.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import type {
  Instrument as KnownInstrument,
  PitchRange,
} from '../../../music/model/instruments/instrument.ts'
import { pitchNamed } from '../../../music/model/instruments/pitch-names.ts'
import { sampleOf } from '../../../music/model/instruments/samples.ts'
import { inLanguage, instrumentGroups } from '../../../music/model/instruments/table.ts'
import { operation } from '../../../operation.ts'
import { searchWords } from './search-key.ts'

export const listInstruments = operation({
  id: 'listInstruments',
  tag: 'Score',
  summary: 'List the instruments that a score can be created with',
  description:
    'Groups and instruments are in the usual order of lists, the common instruments of a group first. A group without a matching ' +
    'instrument is left out. `group` and `instrument` of an instrument are those of `builderData` and of `instruments` of a score; ' +
    'the group in which it is listed can be a narrower one.',
  scopes: ['scores.readonly', 'scores'],
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Words to find in the names of instruments and groups in any language. Case and accents are ignored. Every word must match.',
      }),
    ),
  }),
  responses: { 200: Type.Array(InstrumentGroup) },
  async handle({ query, request }) {
    const words = searchWords(query.q ?? '')
    const locale = request.locale()
    return instrumentGroups.flatMap(({ id, names, instruments: ofGroup }) => {
      const found = ofGroup.filter((instrument) => {
        const key = searchKeys.get(instrument) ?? ''
        return words.every((word) => key.includes(word))
      })
      if (found.length === 0) return []
      const presented = found.map((instrument) => presentInstrument(instrument, locale))
      return [{ id, name: inLanguage(names, locale), instruments: presented }]
    })
  },
})

/** The names of each instrument and of its group in all languages, as sort keys. */
const searchKeys = new Map<KnownInstrument, string>()
for (const { names, instruments: ofGroup } of instrumentGroups) {
  for (const instrument of ofGroup) {
    const texts = [...Object.values(instrument.names).flat(), ...instrument.aliases, ...Object.values(names)]
    searchKeys.set(instrument, texts.map(sortKey).join('\n'))
  }
}

function presentInstrument(instrument: KnownInstrument, locale: string): Instrument {
  const {
    group,
    id,
    names,
    clefs,
    staffLines = 5,
    transposition,
    range,
    tuning,
    drums,
    sound,
    program,
  } = instrument
  const [longName, shortName] = inLanguage(names, locale)
  return {
    group,
    instrument: id,
    longName,
    shortName,
    clefs: [...clefs],
    staffLines,
    ...(transposition && { transposition }),
    ...(range && { range: { full: keysOf(range.full), comfortable: keysOf(range.comfortable) } }),
    ...(tuning && { tuning: tuning.map((pitch) => pitchNamed(pitch).key) }),
    ...(drums && { drums: drums.map((drum) => ({ notehead: 'normal' as const, ...drum })) }),
    sound,
    midiProgram: program,
    sample: sampleOf(instrument),
  }
}

function keysOf([low, high]: PitchRange): { low: number; high: number } {
  return { low: pitchNamed(low).key, high: pitchNamed(high).key }
}
