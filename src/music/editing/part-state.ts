import { child, childrenNamed, childText, type Element } from '../model/document.ts'
import { type KeysOfStaves, keysAfter } from '../timeline/key-alterations.ts'
import type { MeasureModel } from './measure-model.ts'
import { TICKS_PER_QUARTER } from './values.ts'

export interface Time {
  readonly beats: number
  readonly beatType: number
  /** Ticks of a full measure. */
  readonly length: number
}

export interface Clef {
  readonly sign: string
  readonly line: number | undefined
  readonly octaveChange: number
}

/** What holds at a place of a part. */
export interface PartState {
  readonly divisions: number
  readonly staves: number
  /** Undefined before the first time signature, and without one (`senza-misura`). */
  readonly time: Time | undefined
  readonly keys: KeysOfStaves
  /** By staff. */
  readonly clefs: ReadonlyMap<number, Clef>
  /** The interval from the written to the sounding pitch, without octaves. */
  readonly transpose: { readonly chromatic: number; readonly diatonic: number } | undefined
}

export const initialState: PartState = {
  divisions: 1,
  staves: 1,
  time: undefined,
  keys: new Map(),
  clefs: new Map(),
  transpose: undefined,
}

/** What holds after an `attributes` element. */
export function stateAfter(attributes: Element, before: PartState): PartState {
  const divisions = Number(childText(attributes, 'divisions'))
  const staves = Number(childText(attributes, 'staves'))
  const time = child(attributes, 'time')
  return {
    divisions: divisions > 0 ? divisions : before.divisions,
    staves: staves > 0 ? staves : before.staves,
    time: time ? timeOf(time) : before.time,
    keys: keysAfter(attributes, before.keys),
    clefs: clefsAfter(attributes, before.clefs),
    transpose: transposeAfter(attributes) ?? before.transpose,
  }
}

/** Reads a `time` element. Additive time signatures are added up. */
function timeOf(time: Element): Time | undefined {
  let beats = 0
  let length = 0
  let finest = 0
  for (const { name, text } of time.children) {
    if (name === 'beats') beats = (text.match(/\d+/g) ?? []).reduce((sum, count) => sum + Number(count), 0)
    const beatType = name === 'beat-type' ? Number(text) : 0
    if (!(beatType > 0) || !(beats > 0)) continue
    finest = Math.max(finest, beatType)
    length += (4 * TICKS_PER_QUARTER * beats) / beatType
  }
  if (length === 0 || !Number.isInteger(length)) return undefined
  return { beats: (length * finest) / (4 * TICKS_PER_QUARTER), beatType: finest, length }
}

function clefsAfter(attributes: Element, before: ReadonlyMap<number, Clef>): ReadonlyMap<number, Clef> {
  const clefs = childrenNamed(attributes, 'clef')
  if (clefs.length === 0) return before
  const after = new Map(before)
  for (const clef of clefs) {
    after.set(Number(clef.attributes.number) || 1, {
      sign: childText(clef, 'sign') ?? 'G',
      line: Number(childText(clef, 'line')) || undefined,
      octaveChange: Number(childText(clef, 'clef-octave-change')) || 0,
    })
  }
  return after
}

function transposeAfter(attributes: Element): PartState['transpose'] {
  const transpose = child(attributes, 'transpose')
  if (transpose === undefined) return undefined
  const chromatic = Number(childText(transpose, 'chromatic')) || 0
  const diatonic = Number(childText(transpose, 'diatonic') ?? Math.round((chromatic * 7) / 12)) || 0
  return { chromatic, diatonic }
}

/** What holds after all children of a measure. */
export function stateAfterMeasure(measure: Element, before: PartState): PartState {
  let state = before
  for (const element of measure.children)
    if (element.name === 'attributes') state = stateAfter(element, state)
  return state
}

/** The key signatures at a time of a measure. A change holds for the notes from its time on. */
export function keysAt({ marks }: MeasureModel, keys: KeysOfStaves, onset: number): KeysOfStaves {
  let present = keys
  for (const mark of marks)
    if (mark.element.name === 'attributes' && mark.onset > 0 && mark.onset <= onset)
      present = keysAfter(mark.element, present)
  return present
}
