import { child, type Element, measuresOf, partsOf, type ScoreDocument } from '../../music/model/document.ts'

/** Each note of a page has a color of its own, which identifies it in the SVG of the engine. */
export interface NoteColors {
  /** The color of the first note, as a number. The others follow in the order of the document. */
  readonly first: number
  /** The colors that notes have in the document (`#rrggbb`), by the number of the note. */
  readonly own: Readonly<Record<number, string>>
}

/** A color of MusicXML, with or without opacity in front. */
const colorForm = /^#(?<opacity>[0-9a-f]{2})?(?<color>[0-9a-f]{6})$/i

/**
 * Gives each note and rest of a document a color of its own. The engine passes the color of a note element to the glyph of
 * the note or rest, and to nothing else.
 */
export function withNoteColors(document: ScoreDocument): { document: ScoreDocument; colors: NoteColors } {
  const first = firstColor(document)
  const own: Record<number, string> = {}
  let count = 0
  const color = (note: Element): Element => {
    const { opacity = '', color: before } = ownColorOf(note) ?? {}
    if (before !== undefined) own[count] = `#${before.toLowerCase()}`
    const colored = `#${opacity}${(first + count).toString(16).padStart(6, '0')}`
    count++
    const attributes = { ...note.attributes, color: colored }
    const children = child(note, 'notehead')?.attributes.color
      ? note.children.map((one) => (one.name === 'notehead' ? withColor(one, colored) : one))
      : note.children
    return { ...note, attributes, children }
  }
  const inside = (parent: Element, name: string, change: (one: Element) => Element): Element => ({
    ...parent,
    children: parent.children.map((one) => (one.name === name ? change(one) : one)),
  })
  const root = inside(document.root, 'part', (part) =>
    inside(part, 'measure', (measure) => inside(measure, 'note', color)),
  )
  return { document: { ...document, root }, colors: { first, own } }
}

const withColor = (element: Element, color: string): Element => ({
  ...element,
  attributes: { ...element.attributes, color },
})

/** The color of the notehead counts before that of the note. */
function ownColorOf(note: Element): Partial<Record<string, string>> | undefined {
  const colors = [child(note, 'notehead')?.attributes.color, note.attributes.color]
  return colors.map((color) => colorForm.exec(color ?? '')?.groups).find((groups) => groups !== undefined)
}

/** The first of as many colors as the document has notes. None of them is black or occurs in the document. */
function firstColor(document: ScoreDocument): number {
  const notes = partsOf(document)
    .flatMap(measuresOf)
    .reduce((sum, measure) => sum + notesIn(measure), 0)
  const used = new Set<number>()
  collectColors(document.root, used)
  let first = 1
  for (const color of [...used].sort((a, b) => a - b)) {
    if (color >= first + notes) break
    first = Math.max(first, color + 1)
  }
  return first
}

/** The number of notes and rests in a measure. */
export function notesIn(measure: Element): number {
  let notes = 0
  for (const { name } of measure.children) if (name === 'note') notes++
  return notes
}

function collectColors({ attributes, children }: Element, used: Set<number>): void {
  const color = colorForm.exec(attributes.color ?? '')?.groups?.color
  if (color !== undefined) used.add(Number.parseInt(color, 16))
  for (const inner of children) collectColors(inner, used)
}
