import { sortKey } from '../../../lib/sort-key.ts'
import { instrumentKey, instruments as knownInstruments } from '../../../music/model/instruments/table.ts'

/** The columns of a score that a search looks in. */
export interface SearchableTexts {
  title: string
  subtitle: string | null
  composer: string | null
  lyricist: string | null
  arranger: string | null
  /** JSON array of instrument keys. */
  instruments: string
}

/** The names of each instrument in every available language, as sort keys. */
const namesByInstrument = new Map(
  knownInstruments.map((instrument) => [
    instrumentKey(instrument),
    Object.values(instrument.names).flat().map(sortKey),
  ]),
)

/** Begin each word of a composer, and each word of the name of an instrument, so that a search can look for only these. */
const marks = { composer: '\u0002', instrument: '\u0001' } as const

const marked = (text: string, mark: string): string =>
  text
    .split(' ')
    .map((word) => mark + word)
    .join(' ')

/** Returns what the search key of a score contains if the composer, or a name of an instrument, has a word that begins so. */
export const wordStarts = (search: string, of: keyof typeof marks): string[] =>
  searchWords(search).map((word) => marks[of] + word)

/** Splits a search into folded words. The search key of a matching score contains every one of them. */
export function searchWords(search: string): string[] {
  return sortKey(search).split(' ').filter(Boolean)
}

/** Returns the texts of a score and the names of its instruments as sort keys, one a line. Some words have a mark. */
export function searchKeyOf({
  title,
  subtitle,
  composer,
  lyricist,
  arranger,
  instruments,
}: SearchableTexts): string {
  const texts = [title, subtitle, lyricist, arranger].flatMap((text) => (text ? [sortKey(text)] : []))
  if (composer) texts.push(marked(sortKey(composer), marks.composer))
  const names = (JSON.parse(instruments) as string[])
    .flatMap((key) => namesByInstrument.get(key) ?? [])
    .map((name) => marked(name, marks.instrument))
  return [...new Set([...texts, ...names])].join('\n')
}
