import { child, childText, type Element } from '../model/document.ts'
import { soundingAt, wordsOf } from './direction.ts'
import { metronomeNoteOf } from './metronome.ts'
import { numberOf, type WrittenPart } from './written.ts'

/** How pairs of notes are played from a tick of the written score. */
export interface SwingMark {
  readonly tick: number
  /** The part of a pair that its first note lasts; a half when the notes are straight. */
  readonly first: number
  /** The written length of each note of a pair, in quarter notes. */
  readonly unit: number
}

type Swing = Omit<SwingMark, 'tick'>

const straight: Swing = { first: 1 / 2, unit: 1 / 2 }
const EIGHTH = 1 / 2
const SIXTEENTH = 1 / 4
/** Of words: as a quarter note and an eighth note of a triplet. */
const TRIPLET = 2 / 3
/** A longer text explains something. */
const LONGEST = 60

const straightWords = /\b(?:no swing|not swung|binaire|binär|gerade (?:achtel|sechzehntel))\b/
/** These also name a mute, or go with another word ("even softer"), so they count alone or with a note value. */
const evenWords = /\b(?:straight|even)\b/
const evenAlone = /^\P{L}*(?:play |all )?(?:straight|even)(?: feel| rhythm| time)?\P{L}*$/u
const noteValues =
  /\b(?:(?:8|16)(?:ths?|s)|eighths?|sixteenths?|quavers?|semiquavers?|(?:doubles )?croches|(?:8|16)tel|achtel|sechzehntel)\b/
const swingWords = /\b(?:swing|swung|shuffle|ternaire|ternär|triolisch)\b/
const sixteenthWords = /\b(?:16ths?|sixteenths?|semiquavers?|doubles croches|sechzehntel)\b/

/**
 * The marks of swing of all parts, by tick: `swing` of a `sound` (MusicXML 4.0), otherwise the sign of two equal
 * notes that mean two unequal ones, otherwise words such as "Swing", "Shuffle" and "Straight 8ths".
 */
export function swingMarksOf(parts: readonly WrittenPart[], columnStarts: readonly number[]): SwingMark[] {
  const marks: SwingMark[] = []
  for (const part of parts) {
    for (const [column, measure] of part.measures.entries()) {
      for (const mark of measure.marks) {
        const swing = swingOf(mark.element)
        if (swing !== undefined)
          marks.push({ ...swing, tick: (columnStarts[column] ?? 0) + soundingAt(mark) })
      }
    }
  }
  return marks.sort((a, b) => a.tick - b.tick)
}

function swingOf(element: Element): Swing | undefined {
  if (element.name !== 'direction' && element.name !== 'sound') return undefined
  const sound = element.name === 'sound' ? element : child(element, 'sound')
  const swing = sound && child(sound, 'swing')
  if (swing !== undefined) return exactSwing(swing)
  return element.name === 'direction' ? (shownSwing(element) ?? wordSwing(wordsOf(element))) : undefined
}

function exactSwing(swing: Element): Swing | undefined {
  if (child(swing, 'straight') !== undefined) return straight
  const unit = childText(swing, 'swing-type') === '16th' ? SIXTEENTH : EIGHTH
  return pairOf(numberOf(childText(swing, 'first')), numberOf(childText(swing, 'second')), unit)
}

/** Undefined for a pair without two lengths above 0. */
function pairOf(first = 0, second = 0, unit: number): Swing | undefined {
  return first > 0 && second > 0 ? { first: first / (first + second), unit } : undefined
}

/** The sign over the staff: two equal notes, and the two notes that are played instead. */
function shownSwing(direction: Element): Swing | undefined {
  for (const type of direction.children) {
    const metronome = type.name === 'direction-type' ? child(type, 'metronome') : undefined
    if (metronome === undefined) continue
    const lengths: number[][] = [[]]
    for (const part of metronome.children) {
      if (part.name === 'metronome-relation') lengths.push([])
      else if (part.name === 'metronome-note') lengths.at(-1)?.push(metronomeNoteOf(part))
    }
    const [written = [], played = []] = lengths
    const [unit = 0, other] = written
    if (written.length === 2 && played.length === 2 && unit === other && unit > 0 && unit <= EIGHTH)
      return pairOf(played[0], played[1], unit)
  }
  return undefined
}

function wordSwing(text: string): Swing | undefined {
  if (text.length > LONGEST) return undefined
  const words = text.toLowerCase()
  if (straightWords.test(words) || isEven(words)) return straight
  if (!swingWords.test(words)) return undefined
  return { first: TRIPLET, unit: sixteenthWords.test(words) ? SIXTEENTH : EIGHTH }
}

function isEven(words: string): boolean {
  return evenAlone.test(words) || (evenWords.test(words) && noteValues.test(words))
}
