import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from './document.ts'
import type { Instrument } from './instruments/instrument.ts'
import { recognizeInstrument } from './instruments/recognition.ts'
import { instrumentKey } from './instruments/table.ts'
import { concertFifths } from './key-signature.ts'
import { isSoundingNote, walkMeasure } from './measure-walk.ts'
import { creditsOf, type ScoreCredits } from './credits.ts'
import { type WrittenTempo, tempoDurations, tempoOf } from './written-tempos.ts'

export interface ScoreFacts extends ScoreCredits {
  /** `group.id` in the instrument table, one for each part, in score order. */
  instruments: string[]
  /** Measures of the longest part. */
  numberMeasures: number
  /** Quarter notes per minute of the tempo that lasts longest. Undefined if the score has none. */
  mainTempoQpm: number | undefined
  /** The concert key that lasts longest, in fifths, −7…7. Undefined if the score has none. */
  mainKeySignature: number | undefined
  /**
   * The number of written notes: each note of a chord, grace notes and tied notes, but no rests and cue
   * notes.
   */
  noteCount: number
}

/**
 * Reads the facts of a score in one pass over the tree. Never fails for a document that was read.
 *
 * "Lasts longest" is measured in written quarter notes, each repeat counted once; the first of equally long
 * ones wins. A tempo mark in any part holds for all parts. The key of each part counts for its duration, so
 * that most parts outweigh a timpani part without a key. Unpitched percussion does not count.
 */
export function factsOf(document: ScoreDocument): ScoreFacts {
  const scoreParts = new Map<string | undefined, Element>()
  for (const scorePart of childrenNamed(child(document.root, 'part-list') ?? document.root, 'score-part')) {
    scoreParts.set(scorePart.attributes.id, scorePart)
  }
  const tally: Tally = { columns: [], tempos: [], keys: new Map(), notes: 0 }
  const instruments: string[] = []
  for (const part of partsOf(document)) {
    const scorePart = scoreParts.get(part.attributes.id) ?? nameless
    const instrument = recognizeInstrument(scorePart, firstTranspose(part))
    instruments.push(instrumentKey(instrument))
    tallyPart(part, instrument, tally)
  }
  return {
    ...creditsOf(document),
    instruments,
    numberMeasures: tally.columns.length,
    mainTempoQpm: longestLasting(tempoDurations(tally.tempos, tally.columns)),
    mainKeySignature: longestLasting(tally.keys),
    noteCount: tally.notes,
  }
}

const nameless: Element = { name: 'score-part', attributes: {}, children: [], text: '' }

/** The transposition at the beginning of a part. */
function firstTranspose(part: Element): Element | undefined {
  const [first] = measuresOf(part)
  const attributes = childrenNamed(first ?? nameless, 'attributes')
  return attributes.flatMap((element) => ofFirstStaff(element, 'transpose') ?? [])[0]
}

/** The sums over all parts. */
interface Tally {
  /** Length of each measure column in quarter notes. */
  readonly columns: number[]
  readonly tempos: WrittenTempo[]
  /** The duration of each concert key in quarter notes, in the order of their first appearance. */
  readonly keys: Map<number, number>
  notes: number
}

function tallyPart(part: Element, instrument: Instrument, tally: Tally): void {
  const hasKeys = instrument.drums === undefined
  let divisions = 1
  let measureStart = 0
  let keyStart = 0
  let fifths: number | undefined
  let transpose: Element | undefined
  const closeKey = (end: number) => {
    if (fifths === undefined || !hasKeys) return
    const concert = concertFifths(fifths, transpose)
    tally.keys.set(concert, (tally.keys.get(concert) ?? 0) + Math.max(end - keyStart, 0))
  }
  measuresOf(part).forEach((measure, column) => {
    const walked = walkMeasure(measure, divisions, (element, onset) => {
      switch (element.name) {
        case 'note':
          if (isSoundingNote(element)) tally.notes++
          break
        case 'attributes': {
          const key = ofFirstStaff(element, 'key')
          const newTranspose = ofFirstStaff(element, 'transpose')
          if (key === undefined && newTranspose === undefined) break
          closeKey(measureStart + onset)
          keyStart = measureStart + onset
          if (key !== undefined) fifths = fifthsOf(key)
          transpose = newTranspose ?? transpose
          break
        }
        case 'direction':
        case 'sound': {
          const tempo = tempoOf(element)
          if (tempo !== undefined) tally.tempos.push({ ...tempo, column, onset })
          break
        }
      }
    })
    divisions = walked.divisions
    measureStart += walked.length
    tally.columns[column] = Math.max(tally.columns[column] ?? 0, walked.length)
  })
  closeKey(measureStart)
}

/** The element for the uppermost staff, which represents the part. Staves may have different keys. */
function ofFirstStaff(attributes: Element, name: string): Element | undefined {
  return childrenNamed(attributes, name).find((candidate) => (candidate.attributes.number ?? '1') === '1')
}

/** Undefined for a key that is not of the circle of fifths (key-step and key-alter). */
function fifthsOf(key: Element): number | undefined {
  const fifths = Number(childText(key, 'fifths') || undefined)
  return Number.isInteger(fifths) ? fifths : undefined
}

function longestLasting(durations: Map<number, number>): number | undefined {
  let main: number | undefined
  let most = -1
  for (const [value, duration] of durations) {
    if (duration > most) {
      main = value
      most = duration
    }
  }
  return main
}
