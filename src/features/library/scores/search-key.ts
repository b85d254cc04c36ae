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

/** Splits a search into folded words. The search key of a matching score contains every one of them. */
export function searchWords(search: string): string[] {
  return sortKey(search).split(' ').filter(Boolean)
}

/** Returns the texts of a score and the names of its instruments as sort keys, one a line. */
export function searchKeyOf({
  title,
  subtitle,
  composer,
  lyricist,
  arranger,
  instruments,
}: SearchableTexts): string {
  const texts = [title, subtitle, composer, lyricist, arranger].flatMap((text) =>
    text ? [sortKey(text)] : [],
  )
  const names = (JSON.parse(instruments) as string[]).flatMap((key) => namesByInstrument.get(key) ?? [])
  return [...new Set([...texts, ...names])].join('\n')
}
