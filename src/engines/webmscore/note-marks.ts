import { placeAt } from '../../lib/numbers.ts'
import { noteIdOf } from '../../music/model/note-ids.ts'
import type { PartIds } from './measure-ids.ts'
import type { NoteColors } from './note-colors.ts'

/** The glyph of a note or rest that has a color. */
const coloredGlyph = /<(\w+) class="(Note|Rest)"([^>]*?) fill="#([0-9a-f]{6})"/g

/**
 * Gives the glyph of each note and rest on a page its id (`noteIdOf`) and `data-part`, the uuid of its part, and the color that
 * it has in the document. Stems, flags, beams, dots and accidentals are not marked, nor are rests of several measures.
 * @param svg a page of a document with the colors of `withNoteColors`
 */
export function withNoteIds(svg: string, parts: readonly PartIds[], { first, own }: NoteColors): string {
  const places = parts.flatMap(({ uuid: part, measures, notes }) =>
    measures.map((measure, index) => ({ part, measure, notes: notes[index] ?? 0 })),
  )
  let count = 0
  const starts = places.map(({ notes }) => {
    count += notes
    return count - notes
  })
  const marked = new Set<number>()
  return svg.replace(coloredGlyph, (glyph, element, kind, others, color) => {
    const number = Number.parseInt(color, 16) - first
    if (number < 0 || number >= count) return glyph
    const at = placeAt(starts, number)
    const { part = '', measure = '' } = places[at] ?? {}
    const id = noteIdOf(measure, part, number - (starts[at] ?? 0))
    const fill = own[number] === undefined ? '' : ` fill="${own[number]}"`
    const names = marked.has(number) ? '' : ` id="${id}"`
    marked.add(number)
    return `<${element}${names} class="${kind}" data-part="${part}"${others}${fill}`
  })
}
