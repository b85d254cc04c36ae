import { readContentJson } from '../../../lib/content.ts'
import type { Instrument, InstrumentGroup, InstrumentLanguage } from './instrument.ts'

/**
 * The groups in which people look for an instrument, in the order of `content/instruments/groups.json`. The `group` of an
 * instrument can be wider: saxophones and recorders are `woodwinds`.
 */
export const instrumentGroups: readonly InstrumentGroup[] = (
  readContentJson('instruments/groups.json') as Omit<InstrumentGroup, 'instruments'>[]
).map(({ id, names }) => ({
  id,
  names,
  instruments: readContentJson(`instruments/${id}.json`) as Instrument[],
}))

/**
 * Every instrument that Partita knows. If the evidence for two instruments is the same, the earlier one wins, so the usual
 * instrument stands before the rare ones.
 */
export const instruments: readonly Instrument[] = instrumentGroups.flatMap((group) => group.instruments)

/** The name of an instrument in the interface: `strings.violin`. */
export function instrumentKey(instrument: Instrument): string {
  return `${instrument.group}.${instrument.id}`
}

const byKey = new Map(instruments.map((instrument) => [instrumentKey(instrument), instrument]))

/** Finds the instrument of a group and an id. Returns undefined if the table has none. */
export function findInstrument(group: string, id: string): Instrument | undefined {
  return byKey.get(`${group}.${id}`)
}

/** Finds the instrument of a key from `instrumentKey`. Returns undefined if the table has none. */
export function findInstrumentByKey(key: string): Instrument | undefined {
  return byKey.get(key)
}

/** A General MIDI program. */
export interface Program {
  /** The name of the sound in General MIDI. */
  readonly name: string
  /** The instrument that a part with this program plays if nothing else is known. */
  readonly instrument: Instrument
}

/** The 128 General MIDI programs. */
export const programs: readonly Program[] = (
  readContentJson('instruments/programs.json') as { name: string; instrument: string }[]
).map(({ name, instrument: key }) => {
  const instrument = byKey.get(key)
  if (instrument === undefined) throw new Error(`content/instruments/programs.json names an unknown ${key}.`)
  return { name, instrument }
})

/** The value for the language of a locale (`fr`, `pt-BR`), or for English if the table does not have that language. */
export function inLanguage<Value>(
  values: Readonly<Record<InstrumentLanguage, Value>>,
  locale: string,
): Value {
  const language = locale.split(/[-_]/, 1)[0]?.toLowerCase() as InstrumentLanguage
  return Object.hasOwn(values, language) ? values[language] : values.en
}

/** The long name in the language of a locale, or in English. */
export function instrumentName(instrument: Instrument, locale: string): string {
  return inLanguage(instrument.names, locale)[0]
}

/** The interval from written to sounding pitch in semitones. */
export function soundingInterval({ transposition }: Instrument): number {
  return transposition === undefined ? 0 : transposition.chromatic + 12 * (transposition.octaveChange ?? 0)
}
