import { sortKey } from '../../lib/sort-key.ts'
import { instrumentKey, instruments as knownInstruments } from '../../music/instruments.ts'

/** What of a score a search looks in. */
export interface Searched {
  title: string
  subtitle: string | null
  composer: string | null
  lyricist: string | null
  arranger: string | null
  /** JSON array of instrument keys. */
  instruments: string
}

/** The names of each instrument in every language that has them. */
const namesByInstrument = new Map(
  knownInstruments.map((instrument) => [
    instrumentKey(instrument),
    Object.values(instrument.names).flat().map(sortKey),
  ]),
)

/** What of a search must be in a score's key: every word, folded as the key is. */
export function wordsOf(search: string): string[] {
  return sortKey(search).split(' ').filter(Boolean)
}

/** The texts of a score and the names of its instruments as sort keys, a line each. */
export function searchKeyOf({ title, subtitle, composer, lyricist, arranger, instruments }: Searched): string {
  const texts = [title, subtitle, composer, lyricist, arranger].flatMap((text) => (text ? [sortKey(text)] : []))
  const names = (JSON.parse(instruments) as string[]).flatMap((key) => namesByInstrument.get(key) ?? [])
  return [...new Set([...texts, ...names])].join('\n')
}
