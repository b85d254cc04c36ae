import { child, childText, type Element } from './document.ts'

/**
 * Called for each child of a measure.
 * @param onset quarter notes from the start of the measure
 * @param duration quarter notes; 0 for grace notes and for elements without a duration, such as directions
 */
export type VisitElement = (element: Element, onset: number, duration: number) => void

export interface WalkedMeasure {
  /** Quarter notes from the start of the measure to the latest end of any voice. */
  readonly length: number
  /** The divisions in force at the end; the next measure of the part begins with them. */
  readonly divisions: number
}

/**
 * Visits the children of a measure in document order. Computes their onsets from the elements `divisions`, `duration`,
 * `backup`, `forward` and `chord`, as MusicXML 4.0 defines them. The same onset is the same number in parts with
 * different divisions. An invalid duration counts as 0, and invalid divisions are ignored, so that an invalid document can
 * still be read.
 * @param divisions the divisions in force at the start of the measure
 */
export function walkMeasure(measure: Element, divisions: number, visit: VisitElement): WalkedMeasure {
  /** Quarter notes from the start of the measure to the last change of the divisions. */
  let start = 0
  /** The present position after `start`, in divisions. */
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
        ticks = Math.max(ticks - ticksOf(element), -start * divisions)
        break
      case 'forward': {
        const forward = ticksOf(element)
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
    else if (name === 'duration') ticks = positiveOrZero(text)
  }
  return { inChord, grace, ticks: grace ? 0 : ticks }
}

function ticksOf(element: Element): number {
  return positiveOrZero(child(element, 'duration')?.text ?? '')
}

function positiveOrZero(text: string): number {
  const number = Number(text)
  return number > 0 && number < Number.POSITIVE_INFINITY ? number : 0
}

/** Whether a `note` sounds: a pitched or unpitched note, including a grace note, but not a rest or a cue note. */
export function isSoundingNote(note: Element): boolean {
  let sounding = false
  for (const { name } of note.children) {
    if (name === 'cue') return false
    if (name === 'pitch' || name === 'unpitched') sounding = true
  }
  return sounding
}
