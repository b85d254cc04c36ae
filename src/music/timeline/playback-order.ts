import { fail } from '../../errors.ts'
import { type EndingGroup, endingGroupsOf } from './endings.ts'
import type { JumpEnd } from './jump-words.ts'
import type { ColumnMarks, Jump } from './repeat-marks.ts'

/** One measure of the way through the score. */
export interface PlayedColumn {
  /** Its place in the score, from 0. */
  readonly index: number
  /** How often it has been played by then, from 1. */
  readonly occurrence: number
}

/** Repeats within repeats multiply; no score that people play comes near. */
export const MAX_PLAYED_MEASURES = 20_000

/** What a backward repeat goes back over. */
interface Section {
  readonly start: number
  /** The time through it, from 1. */
  time: number
  /** No forward repeat announces it. */
  readonly isImplied: boolean
}

/**
 * The measures in the order in which they are played (MusicXML 4.0, elements `repeat`, `ending` and `sound`).
 *
 * - A backward repeat goes to the last forward one that is not yet done with; repeats may nest. Without one it goes to
 *   where the last repeat ended, or to the beginning: as musicians do.
 * - Endings are played at the times that their numbers name; brackets that make no sense are ignored (endings.ts).
 * - D.C. and D.S. are taken once each, when the repeats at their place are done. To Coda and Fine count only after such
 *   a jump. What was played before it is not repeated again (unless `after-jump` says so) and takes its last ending;
 *   what comes new, a coda, has its repeats. `time-only` names the times itself.
 * - All jumps are made at the end of their measure. A jump to a sign that is not there is not made.
 *
 * Fails with INVALID_MUSICXML above MAX_PLAYED_MEASURES.
 */
export function playbackOrderOf(marks: readonly ColumnMarks[]): PlayedColumn[] {
  const groups = endingGroupsOf(marks)
  const jumps = jumpsOf(marks)
  const order: PlayedColumn[] = []
  const occurrences = new Array<number>(marks.length).fill(0)
  /** The sections that a backward repeat may still go back over, the innermost last; never empty. */
  let sections: Section[] = [{ start: 0, time: 1, isImplied: true }]
  const sectionOfGroup = new Map<EndingGroup, Section>()
  let index = 0
  let isReturn = false

  const innermost = () => sections.at(-1) as Section
  const leave = (section: Section | undefined) => {
    sections = sections.filter((other) => other !== section)
    if (sections.length === 0) sections.push({ start: index + 1, time: 1, isImplied: true })
  }
  const playSection = (start: number) => {
    sections = [{ start, time: 1, isImplied: true }]
    index = start
  }

  for (;;) {
    const column = marks[index]
    if (column === undefined) return order
    const group = groups[index]
    const ending = group?.endings.find(({ start, end }) => start <= index && index <= end)

    // Whoever comes back to an inner repeat at the start of an ending has chosen that ending before.
    if (group !== undefined && ending?.start === index && !isReturn) {
      const section = innermost()
      sectionOfGroup.set(group, section)
      if (jumps.isReplayed(group.endings[0]?.start ?? index) && !group.afterJump) section.time = group.times
      if (!ending.numbers.has(section.time)) {
        index = ending.end
        if (ending === group.endings.at(-1)) leave(section)
        index += 1
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
    if (order.length > MAX_PLAYED_MEASURES) tooLong(index)
    isReturn = false

    const endsGroup = group !== undefined && ending?.end === index ? group : undefined
    const section = innermost()
    if (column.backward !== undefined) {
      const isOfGroup = endsGroup !== undefined && sectionOfGroup.get(endsGroup) === section
      const times = isOfGroup ? endsGroup.times : column.backward.times
      if (section.time < times && (column.backward.afterJump || !jumps.isReplayed(index))) {
        section.time += 1
        index = section.start
        isReturn = true
        continue
      }
      leave(section)
    }
    if (endsGroup !== undefined && ending === endsGroup.endings.at(-1)) leave(sectionOfGroup.get(endsGroup))

    const target = jumps.after(index, occurrence, occurrences)
    if (target === 'end') return order
    if (target === undefined) index += 1
    else playSection(target)
  }
}

interface Jumps {
  /** Whether a measure was played before the last jump back. */
  isReplayed(column: number): boolean
  /** Where to go when a measure has been played: to a measure, to the end, or simply on. */
  after(column: number, occurrence: number, occurrences: readonly number[]): number | 'end' | undefined
}

function jumpsOf(marks: readonly ColumnMarks[]): Jumps {
  const taken = new Set<Jump>()
  const codasTaken = new Set<Jump>()
  let playedBefore: readonly number[] = []
  /** Where the playing after the last jump back may end or leave; undefined before any. */
  let until: JumpEnd | undefined

  const isDue = (jump: Jump, occurrence: number, byDefault: boolean) =>
    jump.timeOnly === undefined ? byDefault : jump.timeOnly.includes(occurrence)

  return {
    isReplayed: (column) => (playedBefore[column] ?? 0) > 0,
    after(column, occurrence, occurrences) {
      const { fine, toCoda, daCapo, dalSegno } = marks[column] ?? {}
      if (fine && isDue(fine, occurrence, until === 'fine' || until === 'either')) return 'end'
      const isToCoda = until === 'coda' || until === 'either'
      if (toCoda && !codasTaken.has(toCoda) && isDue(toCoda, occurrence, isToCoda)) {
        const coda = nearest(columnsWith(marks, 'coda', toCoda.label), (found) => found > column)
        if (coda !== undefined) {
          codasTaken.add(toCoda)
          until = 'either'
          return coda
        }
      }
      for (const jump of [dalSegno, daCapo]) {
        if (jump === undefined || !isDue(jump, occurrence, !taken.has(jump))) continue
        const segnos = jump === daCapo ? [0] : columnsWith(marks, 'segno', jump.label)
        const start = nearest(segnos.reverse(), (found) => found <= column)
        if (start === undefined) continue
        taken.add(jump)
        codasTaken.clear()
        until = jump.until
        playedBefore = occurrences.slice()
        return start
      }
      return undefined
    },
  }
}

/** The measures with the sign of that name, or with any when there is none; in score order. */
function columnsWith(marks: readonly ColumnMarks[], sign: 'segno' | 'coda', label: string): number[] {
  const all: number[] = []
  const named: number[] = []
  for (const [column, found] of marks.entries()) {
    if (found[sign] === undefined) continue
    all.push(column)
    if (found[sign] === label) named.push(column)
  }
  return named.length > 0 ? named : all
}

function nearest(columns: readonly number[], isOnTheRightSide: (column: number) => boolean): number | undefined {
  return columns.find(isOnTheRightSide) ?? columns[0]
}

function tooLong(index: number): never {
  fail('INVALID_MUSICXML', {
    message: `With its repeats the score has more than ${MAX_PLAYED_MEASURES} measures; it was left at measure ${index + 1}.`,
  })
}
