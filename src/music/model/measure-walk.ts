import { child, childText, type Element } from './document.ts'

/**
 * Called for each child of a measure with its onset, in quarter notes from the start of the measure, and its
 * duration, which is 0 for attributes, directions, grace notes and the like.
 */
export type VisitElement = (element: Element, onset: number, duration: number) => void

export interface WalkedMeasure {
  /** Quarter notes to the furthest point that any voice reaches. */
  readonly length: number
  /** The divisions in force at the end; the next measure of the part begins with them. */
  readonly divisions: number
}

/**
 * Visits the children of a measure in document order. Keeps the time by divisions, backup, forward and chord,
 * as in MusicXML 4.0. Equal fractions of a quarter note are equal numbers for all divisions. Invalid numbers
 * count as 0 and invalid divisions are ignored, so that a sloppy document can still be read.
 */
export function walkMeasure(measure: Element, divisions: number, visit: VisitElement): WalkedMeasure {
  let start = 0
  let ticks = 0
  let chordTicks = 0
  let length = 0
  for (const element of measure.children) {
    switch (element.name) {
      case 'note': {
        const timing = noteTiming(element)
        const onset = start + (timing.inChord ? chordTicks : ticks) / divisions
        visit(element, onset, timing.ticks / divisions)
        if (timing.inChord) {
          length = Math.max(length, onset + timing.ticks / divisions)
        } else if (!timing.grace) {
          chordTicks = ticks
          ticks += timing.ticks
        } else {
          chordTicks = ticks
        }
        break
      }
      case 'backup':
        visit(element, start + ticks / divisions, 0)
        ticks = Math.max(ticks - duration(element), -start * divisions)
        break
      case 'forward': {
        const forward = duration(element)
        visit(element, start + ticks / divisions, forward / divisions)
        ticks += forward
        break
      }
      case 'attributes': {
        const changed = Number(childText(element, 'divisions'))
        if (changed > 0 && changed !== divisions) {
          start += ticks / divisions
          ticks = 0
          chordTicks = 0
          divisions = changed
        }
        visit(element, start + ticks / divisions, 0)
        break
      }
      default:
        visit(element, start + ticks / divisions, 0)
    }
    length = Math.max(length, start + ticks / divisions)
  }
  return { length, divisions }
}

interface NoteTiming {
  readonly inChord: boolean
  readonly grace: boolean
  readonly ticks: number
}

function noteTiming(note: Element): NoteTiming {
  let inChord = false
  let grace = false
  let ticks = 0
  for (const { name, text } of note.children) {
    if (name === 'chord') inChord = true
    else if (name === 'grace') grace = true
    else if (name === 'duration') ticks = positive(text)
  }
  return { inChord, grace, ticks: grace ? 0 : ticks }
}

function duration(element: Element): number {
  return positive(child(element, 'duration')?.text ?? '')
}

function positive(text: string): number {
  const number = Number(text)
  return number > 0 && number < Number.POSITIVE_INFINITY ? number : 0
}

/** Whether a `note` sounds: a pitched or unpitched note, also a grace note, but not a rest or a cue note. */
export function isSoundingNote(note: Element): boolean {
  let sounding = false
  for (const { name } of note.children) {
    if (name === 'cue') return false
    if (name === 'pitch' || name === 'unpitched') sounding = true
  }
  return sounding
}
