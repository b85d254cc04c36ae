import { child, measuresOf, partsOf, type ScoreDocument } from '../../music/model/document.ts'

/** The measures before which a file starts a new system, and those before which it starts a new page, from 0. */
export interface Breaks {
  readonly systems: readonly number[]
  readonly pages: readonly number[]
  /** The number of measures of the file. The engine has fewer if it joins rests of several measures. */
  readonly measures: number
}

/** Where the engine has set a measure: its page, and its height on the page. */
export interface MeasurePlace {
  readonly page: number
  readonly y: number
}

/** The breaks that the engine gets: those of the file, only those between systems, or none. */
export type KeptBreaks = 'all' | 'systems' | 'none'

/** From how many lines of the engine a line of the file is a section, whose lines the file leaves to the engine. */
const leastSection = 3

/** The breaks of a document in any of its parts. A page break starts a system too. */
export function breaksOf(document: ScoreDocument): Breaks {
  const systems = new Set<number>()
  const pages = new Set<number>()
  for (const part of partsOf(document)) {
    for (const [index, measure] of measuresOf(part).entries()) {
      const print = child(measure, 'print')?.attributes
      if (print?.['new-page'] === 'yes') pages.add(index)
      if (print?.['new-page'] === 'yes' || print?.['new-system'] === 'yes') systems.add(index)
    }
  }
  const inOrder = (places: Set<number>) => [...places].sort((a, b) => a - b)
  const measures = Math.max(0, ...partsOf(document).map((part) => measuresOf(part).length))
  return { systems: inOrder(systems), pages: inOrder(pages), measures }
}

/**
 * Chooses the breaks to keep. A file has the breaks of the program that wrote it. The engine sets the music wider: if a line of the
 * file does not fit, the engine puts its last measures on a line of their own and stretches them, and in the same way the
 * last systems of a page on a page of their own.
 * If the engine has joined measures, only the numbers of lines are compared.
 * @param places where the engine has set each measure with the breaks of the file
 */
export function breaksToKeep(
  { systems, pages, measures }: Breaks,
  places: readonly MeasurePlace[],
): KeptBreaks {
  const starts = places.flatMap((place, index) => {
    const before = places[index - 1]
    return before && before.page === place.page && before.y === place.y ? [] : [index]
  })
  if (places.length !== measures) {
    const lines = systems.length + 1
    return starts.length > lines && starts.length < leastSection * lines ? 'none' : 'all'
  }
  if (hasRemainders(systems, starts)) return 'none'
  // Pages are made of systems, so the systems are counted here like the measures above.
  const systemOf = (measure: number) => starts.findLastIndex((start) => start <= measure)
  const pageStarts = starts.flatMap((start, index) => {
    const before = places[starts[index - 1] ?? -1]
    return before && before.page === places[start]?.page ? [] : [index]
  })
  return hasRemainders(pages.map(systemOf), pageStarts) ? 'systems' : 'all'
}

/** Whether the engine has divided what stands between two breaks into one full piece and one of at most half its size. */
function hasRemainders(breaks: readonly number[], starts: readonly number[]): boolean {
  let from = 0
  for (const to of breaks) {
    const inside = starts.filter((start) => start > from && start < to)
    const [middle] = inside
    if (inside.length === leastSection - 2 && middle !== undefined && to - middle <= (middle - from) / 2)
      return true
    from = to
  }
  return false
}

/** Removes breaks from a MusicXML file that `writeMusicXml` wrote. */
export function withoutBreaks(xml: string, kept: Exclude<KeptBreaks, 'all'>): string {
  return xml.replace(/<print[ /][^>]*>/g, (print) => {
    const isPage = print.includes(' new-page="yes"')
    if (kept === 'systems' && !isPage) return print
    const without = print.replace(/ new-(?:system|page)="[^"]*"/g, '')
    return kept === 'none' ? without : without.replace('<print', '<print new-system="yes"')
  })
}
