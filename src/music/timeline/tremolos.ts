import { child, childText, type Element } from '../model/document.ts'
import { quartersOf } from './note.ts'
import type { Tremolo } from './ornament.ts'
import { numberOf, type WrittenNote } from './written.ts'

/** The `tremolo` among the signs of a note. */
export function tremoloSignOf(signs: readonly Element[]): Element | undefined {
  for (const sign of signs) {
    const tremolo = sign.name === 'ornaments' ? child(sign, 'tremolo') : undefined
    if (tremolo !== undefined) return tremolo
  }
  return undefined
}

const FINEST_MARKS = 8

/**
 * The strokes of a tremolo (MusicXML 4.0, element `tremolo`): each mark, and each flag or beam of the note,
 * halves a quarter note. In a tuplet the strokes are as much shorter as the note. Without marks it is unmeasured.
 */
export function tremoloOf(note: WrittenNote, sign: Element, ticksPerQuarter: number): Tremolo {
  const type = sign.attributes.type ?? 'single'
  const turn = type === 'start' ? 'first' : type === 'stop' ? 'second' : undefined
  const marks = Math.round(numberOf(sign.text) ?? 3)
  if (type === 'unmeasured' || marks < 1) return { kind: 'tremolo', stroke: undefined, turn }
  const quarters = quartersOf(childText(note.element, 'type') ?? 'quarter') ?? 1
  const flags = Math.max(0, Math.round(-Math.log2(quarters)))
  const modification = child(note.element, 'time-modification')
  const normal = numberOf(modification && childText(modification, 'normal-notes')) ?? 1
  const actual = numberOf(modification && childText(modification, 'actual-notes')) ?? 1
  // The notes of a double tremolo have half of the duration that they show, which counts as 2 to 1.
  const isHalved = turn !== undefined && modification !== undefined
  const ratio = actual > 0 && normal > 0 ? ((isHalved ? 2 : 1) * normal) / actual : 1
  const stroke = (ticksPerQuarter / 2 ** Math.min(FINEST_MARKS, marks + flags)) * ratio
  return { kind: 'tremolo', stroke, turn }
}

/**
 * Makes the two notes or chords of a double tremolo take turns: both sound until the end of the second one,
 * which begins one stroke later than the first one.
 */
export function alternate(first: readonly WrittenNote[], second: readonly WrittenNote[]): void {
  const [start, other] = [first[0], second[0]]
  if (start === undefined || other === undefined || other.at < start.at) return
  const end = [...first, ...second].reduce((latest, note) => Math.max(latest, note.end), 0)
  for (const note of first) note.end = end
  for (const note of second) {
    note.start = start.start
    note.end = end
  }
}
