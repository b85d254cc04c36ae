import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../model/document.ts'
import { documentFault } from '../model/limits.ts'
import { walkMeasure } from '../model/measure-walk.ts'
import { isNoteType, ticksOfValue, TICKS_PER_QUARTER } from '../editing/values.ts'

/**
 * The faults of a score that an editor must not make: durations that differ from their values, ties, slurs and tuplets with one end,
 * beams that do not begin or end.
 */
export function editingFaults(document: ScoreDocument): string[] {
  const fault = documentFault(document)
  return [...(fault ? [fault] : []), ...partsOf(document).flatMap(partFaults)]
}

interface Tie {
  readonly pitch: string
  readonly time: number
}

function partFaults(part: Element): string[] {
  const faults: string[] = []
  const starts: Tie[] = []
  const stops: Tie[] = []
  const slurs = new Map<string, number>()
  let divisions = 1
  let time = 0
  for (const measure of measuresOf(part)) {
    const at = `measure ${measure.attributes.number}`
    const tuplets = new Map<string, number>()
    const beams = new Map<string, boolean>()
    const walked = walkMeasure(measure, divisions, (element, onset, duration) => {
      if (element.name !== 'note') return
      const voice = childText(element, 'voice') ?? ''
      const wrong = durationFault(element, duration)
      if (wrong) faults.push(`${at}: ${wrong}`)
      const pitch = pitchText(element)
      for (const { attributes } of childrenNamed(element, 'tie'))
        if (attributes.type === 'start') starts.push({ pitch, time: rounded(time + onset + duration) })
        else stops.push({ pitch, time: rounded(time + onset) })
      for (const sign of childrenNamed(element, 'notations').flatMap(({ children }) => children)) {
        const change = sign.attributes.type === 'start' ? 1 : sign.attributes.type === 'stop' ? -1 : 0
        if (sign.name === 'slur')
          slurs.set(sign.attributes.number ?? '1', (slurs.get(sign.attributes.number ?? '1') ?? 0) + change)
        if (sign.name === 'tuplet') tuplets.set(voice, (tuplets.get(voice) ?? 0) + change)
      }
      for (const { attributes, text } of childrenNamed(element, 'beam')) {
        const name = `${voice} ${attributes.number}`
        const isOpen = beams.get(name) ?? false
        if ((text === 'begin' && isOpen) || (/^(continue|end)$/.test(text) && !isOpen))
          faults.push(`${at}: beam ${text} at ${onset}`)
        beams.set(name, text === 'begin' || text === 'continue')
      }
    })
    for (const [voice, open] of tuplets)
      if (open !== 0) faults.push(`${at}: ${open} open tuplets in voice ${voice}`)
    for (const [name, isOpen] of beams) if (isOpen) faults.push(`${at}: beam ${name} does not end`)
    divisions = walked.divisions
    time += walked.length
  }
  for (const [number, open] of slurs) if (open !== 0) faults.push(`slur ${number}: ${open} open`)
  faults.push(
    ...looseTies(starts, stops).map((tie) => `tie from ${tie}`),
    ...looseTies(stops, starts).map((tie) => `tie to ${tie}`),
  )
  return faults
}

const rounded = (quarters: number): number => Math.round(quarters * 1e4) / 1e4

function durationFault(note: Element, duration: number): string | undefined {
  const type = childText(note, 'type')
  if (!isNoteType(type) || child(note, 'grace')) return undefined
  const ratio = child(note, 'time-modification')
  const factor = ratio
    ? Number(childText(ratio, 'normal-notes')) / Number(childText(ratio, 'actual-notes'))
    : 1
  const value = (ticksOfValue({ type, dots: childrenNamed(note, 'dot').length }) * factor) / TICKS_PER_QUARTER
  return Math.abs(value - duration) < 1e-4 ? undefined : `a ${type} lasts ${duration} quarters, not ${value}`
}

function pitchText(note: Element): string {
  const pitch = child(note, 'pitch') ?? child(note, 'unpitched')
  return pitch?.children.map(({ text }) => text).join('') ?? ''
}

function looseTies(ties: readonly Tie[], others: readonly Tie[]): string[] {
  const ends = new Set(others.map(nameOf))
  return ties.map(nameOf).filter((tie) => !ends.has(tie))
}

const nameOf = ({ pitch, time }: Tie): string => `${pitch} at ${time}`
