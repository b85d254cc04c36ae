import { child, type Element } from '../model/document.ts'
import { numberOf, type WrittenMeasure, type WrittenNote } from './written.ts'

/** How many measures are repeated, by staff; `every` for a sign without a staff number. */
export type MeasureRepeats = ReadonlyMap<number | 'every', number>

/**
 * The signs in force after an `attributes` element (MusicXML 4.0, element `measure-repeat` of
 * `measure-style`). Its text is the number of measures in the pattern. `stop` is in the first measure without
 * the sign.
 */
export function measureRepeatsAfter(attributes: Element, before: MeasureRepeats): MeasureRepeats {
  let after: Map<number | 'every', number> | undefined
  for (const style of attributes.children) {
    const repeat = style.name === 'measure-style' ? child(style, 'measure-repeat') : undefined
    if (repeat === undefined) continue
    after ??= new Map(before)
    const staff = numberOf(style.attributes.number) ?? 'every'
    if (repeat.attributes.type === 'stop') after.delete(staff)
    else after.set(staff, Math.max(1, Math.round(numberOf(repeat.text) ?? 1)))
  }
  return after ?? before
}

/** The notes that the signs in force add to a measure. A measure that has its notes written out keeps to them. */
export function repeatedNotes(
  repeats: MeasureRepeats,
  measure: WrittenMeasure,
  before: readonly WrittenMeasure[],
): WrittenNote[] {
  const added: WrittenNote[] = []
  for (const [staff, measures] of repeats) {
    const isOfStaff = (note: WrittenNote) => staff === 'every' || note.staff === staff
    if (measure.notes.some(isOfStaff)) continue
    for (const note of before.at(-measures)?.notes ?? [])
      if (isOfStaff(note)) added.push({ ...note, lyrics: [], isWrittenHere: false })
  }
  return added
}
