import { child, childText, type Element, measuresOf } from '../../music/model/document.ts'
import { leaf } from '../../music/model/element.ts'
import { quartersOf } from '../../music/timeline/note.ts'

/** The most notes in a tuplet. Real scores have up to about 60. */
const maxTupletNotes = 128
const maxDots = 3
const noteTypes = [
  ...['maxima', 'long', 'breve', 'whole', 'half', 'quarter', 'eighth', '16th', '32nd', '64th'],
  ...['128th', '256th', '512th', '1024th'],
]
/** The children of a note that precede its type (MusicXML 4.0). */
const beforeType: ReadonlySet<string> = new Set([
  ...['grace', 'cue', 'chord', 'pitch', 'unpitched', 'rest', 'duration', 'tie'],
  ...['instrument', 'footnote', 'level', 'voice'],
])

/**
 * Completes the tuplets of a part. The engine never ends on a tuplet note without a type, so the type is computed from the
 * duration. A note whose duration is not that of any type, or whose tuplet has too many notes, becomes an ordinary note.
 */
export function withCompleteTuplets(part: Element): Element {
  if (!measuresOf(part).some(hasTuplets)) return part
  let divisions = 1
  const complete = (event: Element): Element => {
    if (event.name === 'attributes') divisions = Number(childText(event, 'divisions') ?? divisions)
    return event.name === 'note' ? withCompleteTuplet(event, divisions) : event
  }
  const children = part.children.map((measure) => ({
    ...measure,
    children: measure.children.map(complete),
  }))
  return { ...part, children }
}

const hasTuplets = (measure: Element): boolean =>
  measure.children.some((event) => event.name === 'note' && child(event, 'time-modification') !== undefined)

function withCompleteTuplet(note: Element, divisions: number): Element {
  const modification = child(note, 'time-modification')
  if (!modification) return note
  const quarters = Number(childText(note, 'duration') ?? 0) / divisions
  const actual = tupletNotes(modification, 'actual-notes')
  const normal = tupletNotes(modification, 'normal-notes')
  if (actual === undefined || normal === undefined) return withType(withoutTuplet(note), quarters)
  if (childText(note, 'type')) return note
  const written = withType(note, (quarters * actual) / normal)
  return written === note ? withType(withoutTuplet(note), quarters) : written
}

function tupletNotes(modification: Element, name: string): number | undefined {
  const notes = Number(childText(modification, name))
  return Number.isInteger(notes) && notes >= 1 && notes <= maxTupletNotes ? notes : undefined
}

/** The note with the type and dots of a duration, or the note itself if there are none. */
function withType(note: Element, quarters: number): Element {
  for (const type of noteTypes) {
    for (let dots = 0; dots <= maxDots; dots++) {
      const duration = (quartersOf(type) ?? 0) * (2 - 0.5 ** dots)
      if (Math.abs(duration - quarters) > duration / 1000) continue
      const children = note.children.filter(({ name }) => name !== 'type' && name !== 'dot')
      const place = children.findIndex(({ name }) => !beforeType.has(name))
      const written = [leaf('type', type), ...Array.from({ length: dots }, () => leaf('dot', ''))]
      children.splice(place < 0 ? children.length : place, 0, ...written)
      return { ...note, children }
    }
  }
  return note
}

function withoutTuplet(note: Element): Element {
  const children = note.children
    .filter(({ name }) => name !== 'time-modification')
    .map((element) => (element.name === 'notations' ? withoutBrackets(element) : element))
  return { ...note, children }
}

const withoutBrackets = (notations: Element): Element => ({
  ...notations,
  children: notations.children.filter(({ name }) => name !== 'tuplet'),
})
