import { child, childText, type Element, measuresOf, partsOf, type ScoreDocument } from './document.ts'
import { walkMeasure } from './measure-walk.ts'
import { pairByUuid } from './pairing.ts'

/**
 * Returns the measures of a template in which a document has changed or removed a note of the template.
 *
 * Parts and measures are compared with the ones with the same uuid, or with the unmatched ones at the same
 * position. If that finds a change in a part, the part is accepted nevertheless if it contains the measures of the
 * template in their order: several edits at once can hide which measure is which. A note of the template must
 * still be there with its onset, duration, pitch, staff, ties and instrument, in any voice, full-size or cue as
 * before, and visible if it was. Its layout, beams, stem, articulations and lyrics may change. Notes may be added
 * anywhere, even in place of rests, and measures may be added between those of the template.
 * @param template the document that students started from
 * @param document a later revision, whose parts and measures have the uuids of the template where they are the same
 * @returns the numbers of the measures as written, in score order, each once
 */
export function changedTemplateMeasures(template: ScoreDocument, document: ScoreDocument): string[] {
  const changed = new Map<number, string>()
  for (const [original, current] of pairByUuid(partsOf(template), partsOf(document))) {
    if (original === undefined) continue
    const before = measuresWithNotes(original)
    const after = current === undefined ? [] : measuresWithNotes(current)
    const inPart = changedMeasures(before, after)
    if (inPart.length === 0 || containsInOrder(after, before)) continue
    for (const { index, number } of inPart) changed.set(index, number)
  }
  return [...changed].sort(([one], [other]) => one - other).map(([, number]) => number)
}

/** Returns the measures whose counterparts lack one of their notes, or that are no longer in their order. */
function changedMeasures(
  before: readonly MeasureWithNotes[],
  after: readonly MeasureWithNotes[],
): MeasureWithNotes[] {
  let last = -1
  return pairByUuid(before, after).flatMap(([measure, counterpart]) => {
    if (measure === undefined || measure.notes.length === 0) return []
    const isInOrder = measure.index > last
    if (!isInOrder || !containsAll(counterpart?.notes ?? [], measure.notes)) return [measure]
    last = measure.index
    return []
  })
}

/** Whether each measure of `before` has a measure of its own in `after` with all of its notes, in the same order. */
function containsInOrder(after: readonly MeasureWithNotes[], before: readonly MeasureWithNotes[]): boolean {
  let next = 0
  return before.every(({ notes }) => {
    if (notes.length === 0) return true
    while (next < after.length && !containsAll(after[next]?.notes ?? [], notes)) next++
    return next++ < after.length
  })
}

interface MeasureWithNotes {
  readonly uuid?: string | undefined
  /** The index of the measure in its part. */
  readonly index: number
  /** The number of the measure as written. */
  readonly number: string
  /** A description of each note, equal for equal notes. */
  readonly notes: readonly string[]
}

function measuresWithNotes(part: Element): MeasureWithNotes[] {
  let divisions = 1
  return measuresOf(part).map((measure, index) => {
    const notes: string[] = []
    const walked = walkMeasure(measure, divisions, (element, onset, duration) => {
      if (element.name === 'note' && !child(element, 'rest'))
        notes.push(describeNote(element, onset, duration))
    })
    divisions = walked.divisions
    return { uuid: measure.uuid, index, number: measure.attributes.number ?? String(index + 1), notes }
  })
}

/** The precision of onsets and durations in quarter notes, finer than any note and coarser than rounding errors. */
const precision = 1e6
const rounded = (quarters: number): number => Math.round(quarters * precision) / precision

/** The children of a note that are compared by their text and attributes. */
const comparedChildren = new Set(['unpitched', 'instrument', 'staff', 'tie', 'grace', 'cue'])

function describeNote(note: Element, onset: number, duration: number): string {
  const isGrace = child(note, 'grace') !== undefined
  const pitch = child(note, 'pitch')
  const sound = pitch && [
    childText(pitch, 'step'),
    Number(childText(pitch, 'alter') ?? 0),
    Number(childText(pitch, 'octave')),
  ]
  const rest = note.children
    .filter(({ name, text }) => comparedChildren.has(name) && !(name === 'staff' && text.trim() === '1'))
    .map(({ name, text, attributes, children }) => [
      name,
      text.trim(),
      name === 'grace' ? '' : (attributes.type ?? attributes.id ?? ''),
      children.map((inner) => inner.text.trim()),
    ])
  return JSON.stringify([
    rounded(onset),
    // The length of a grace note is only in its type.
    isGrace ? childText(note, 'type') : rounded(duration),
    sound,
    rest.map((child) => JSON.stringify(child)).sort(),
    note.attributes['print-object'] === 'no',
  ])
}

/** Whether `all` contains each of `wanted`, as often as it occurs there. */
function containsAll(all: readonly string[], wanted: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const key of all) counts.set(key, (counts.get(key) ?? 0) + 1)
  return wanted.every((key) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count > 0
  })
}
