import { type EndingGroup, endingsOf } from './endings.ts'
import { jumpsOf } from './jumps.ts'
import { MAX_PLAYED_MEASURES, tooMuch } from './limits.ts'
import type { ColumnMarks } from './repeat-marks.ts'

/** One measure in the order of playing. */
export interface PlayedColumn {
  /** Its place in the score, from 0. */
  readonly index: number
  /** How often it has been played by then, from 1. */
  readonly occurrence: number
}

/** The section of a backward repeat. */
interface Section {
  readonly start: number
  /** The time through it, from 1. */
  time: number
  /** No forward repeat announces it. */
  readonly isImplied: boolean
}

/**
 * Returns the measures in the order of playing (MusicXML 4.0, elements `repeat`, `ending` and `sound`).
 *
 * - A backward repeat goes to the last forward repeat that is not complete. Repeats may nest. Without a
 * forward repeat, it goes to the end of the last repeat, or to the beginning.
 * - Endings are played at the times of their numbers. Brackets without a valid meaning are ignored
 * (endings.ts).
 * - D.C. and D.S. are made once each, when the repeats at their place are complete. To Coda and Fine count
 * only after such a jump. Music from before the jump is not repeated again, unless `after-jump` demands it,
 * and uses its last ending. Music after it, such as a coda, has its repeats. `time-only` gives the times
 * explicitly, and a jump at one of them is made instead of a repeat at its place.
 * - All jumps are made at the end of their measure. A jump to a missing sign is ignored.
 *
 * `numbers` are the printed numbers of the measures, for errors.
 * @throws INVALID_MUSICXML above MAX_PLAYED_MEASURES or MAX_JUMPS
 */
export function playbackOrderOf(marks: readonly ColumnMarks[], numbers: readonly string[]): PlayedColumn[] {
  const underEndings = endingsOf(marks)
  const jumps = jumpsOf(marks, numbers)
  const order: PlayedColumn[] = []
  const occurrences = new Array<number>(marks.length).fill(0)
  /** The sections that a backward repeat may still go back over, the innermost last; never empty. */
  let sections: Section[] = [{ start: 0, time: 1, isImplied: true }]
  const sectionOfGroup = new Map<EndingGroup, Section>()
  let index = 0
  let isReturn = false

  const innermost = () => sections.at(-1) as Section
  const leave = (section: Section | undefined) => {
    const depth = section === undefined ? -1 : sections.lastIndexOf(section)
    if (depth >= 0) sections.splice(depth, 1)
    if (sections.length === 0) sections.push({ start: index + 1, time: 1, isImplied: true })
  }

  for (;;) {
    const column = marks[index]
    if (column === undefined) return order
    const { group, ending } = underEndings[index] ?? {}

    // The ending was chosen before the return to an inner repeat at its start.
    if (group !== undefined && ending?.start === index && !isReturn) {
      const section = innermost()
      sectionOfGroup.set(group, section)
      if (jumps.isReplayed(group.start) && !group.afterJump) section.time = group.times
      const due = group.endings.get(section.time)
      if (due !== ending) {
        if (due !== undefined && due.start > index) {
          index = due.start
        } else {
          index = group.end
          leave(section)
          index += 1
        }
        continue
      }
    }
    if (column.forward && !isReturn) {
      if (innermost().isImplied && ending === undefined) sections.pop()
      sections.push({ start: index, time: 1, isImplied: false })
    }

    const occurrence = (occurrences[index] ?? 0) + 1
    occurrences[index] = occurrence
    order.push({ index, occurrence })
    if (order.length > MAX_PLAYED_MEASURES) {
      tooMuch(`has more than ${MAX_PLAYED_MEASURES} measures`, numbers[index] ?? '')
    }
    isReturn = false

    const section = innermost()
    const isJump = jumps.isNamed(index, occurrence)
    if (column.backward !== undefined && !isJump) {
      const isOfGroup = group !== undefined && ending?.end === index && sectionOfGroup.get(group) === section
      const times = isOfGroup ? group.times : column.backward.times
      if (section.time < times && (column.backward.afterJump || !jumps.isReplayed(index))) {
        section.time += 1
        index = section.start
        isReturn = true
        continue
      }
      leave(section)
    }
    if (group?.end === index) leave(sectionOfGroup.get(group))

    const target = jumps.after(index, occurrence, occurrences)
    if (target === 'end') return order
    if (target !== undefined) sections = [{ start: target, time: 1, isImplied: true }]
    index = target ?? index + 1
  }
}
