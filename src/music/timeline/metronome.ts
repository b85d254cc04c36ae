import { child, childText, type Element } from '../model/document.ts'
import { quartersOf } from './note.ts'
import { numberOf } from './written.ts'

/** The meaning of a metronome mark: a tempo in quarter notes per minute, or a ratio to the tempo before. */
export type MetronomeMark = { readonly quartersPerMinute: number } | { readonly factor: number }

/**
 * Reads a `metronome` element (MusicXML 4.0): a beat unit with a number (also "ca. 120", "60–66" and "120."),
 * or two note values of equal duration before and after it (metric modulation). Undefined if it sets no
 * tempo, for example for a swing sign.
 */
export function metronomeMarkOf(metronome: Element): MetronomeMark | undefined {
  const units = beatUnitsOf(metronome)
  const [unit, next] = units
  if (unit === undefined) return relationOf(metronome)
  const perMinute = childText(metronome, 'per-minute')
  if (perMinute !== undefined) {
    const beats = beatsPerMinuteOf(perMinute)
    return beats === undefined ? undefined : { quartersPerMinute: beats * unit }
  }
  return next === undefined ? undefined : { factor: next / unit }
}

/** The number in the text of `per-minute`, the middle of a range; undefined when there is none above 0. */
function beatsPerMinuteOf(text: string): number | undefined {
  const numbers = /(\d+(?:[.,]\d+)?)(?:\s*(?:-|–|—|to|bis|à)\s*(\d+(?:[.,]\d+)?))?/.exec(text)
  const low = numberOf(numbers?.[1]?.replace(',', '.'))
  const high = numberOf(numbers?.[2]?.replace(',', '.'))
  if (low === undefined || low === 0) return undefined
  return high === undefined ? low : (low + high) / 2
}

/** The lengths of the beat units in quarter notes, dots and tied units included. */
function beatUnitsOf(metronome: Element): number[] {
  const units: number[] = []
  let value = 0
  let dot = 0
  for (const part of metronome.children) {
    if (part.name === 'beat-unit') {
      if (value > 0) units.push(value)
      value = quartersOf(part.text.trim()) ?? 1
      dot = value / 2
    } else if (part.name === 'beat-unit-dot') {
      value += dot
      dot /= 2
    } else if (part.name === 'beat-unit-tied') value += beatUnitsOf(part)[0] ?? 0
  }
  if (value > 0) units.push(value)
  return units
}

/** A relation of `metronome-note`s. One note on each side is a modulation. Groups are a swing sign. */
function relationOf(metronome: Element): MetronomeMark | undefined {
  const sides: number[][] = [[]]
  for (const part of metronome.children) {
    if (part.name === 'metronome-relation') sides.push([])
    else if (part.name === 'metronome-note') sides.at(-1)?.push(metronomeNoteOf(part))
  }
  const [before, after] = sides
  if (before?.length !== 1 || after?.length !== 1) return undefined
  return { factor: (after[0] ?? 1) / (before[0] ?? 1) }
}

/** The quarter notes of a `metronome-note`, with its dots and its tuplet. */
export function metronomeNoteOf(note: Element): number {
  let value = quartersOf(childText(note, 'metronome-type') ?? '') ?? 1
  let dot = value / 2
  for (const part of note.children) {
    if (part.name !== 'metronome-dot') continue
    value += dot
    dot /= 2
  }
  const tuplet = child(note, 'metronome-tuplet')
  const actual = numberOf(tuplet && childText(tuplet, 'actual-notes'))
  const normal = numberOf(tuplet && childText(tuplet, 'normal-notes'))
  return actual !== undefined && normal !== undefined && actual > 0 ? (value * normal) / actual : value
}
