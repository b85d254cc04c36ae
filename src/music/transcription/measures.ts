/**
 * Units in a quarter note. 64th notes and the tuplets of `windows.ts` have whole numbers of them.
 */
export const QUARTER = 1680

/** A time signature from a place on. */
export interface Meter {
  /** Quarter notes from the beginning. */
  readonly quarter: number
  readonly beats: number
  readonly beatType: number
}

/** A measure of the transcription. All times are in units. */
export interface Measure {
  readonly start: number
  readonly length: number
  /** The time signature that holds in it. */
  readonly meter: Omit<Meter, 'quarter'>
  /** The time signature is printed here. */
  readonly isMeterShown: boolean
  /** A pick-up, or a measure that the next time signature cuts short. It has no number of its own. */
  readonly isImplicit: boolean
  /** The lengths of its beats. */
  readonly beats: readonly number[]
}

/** The length of a full measure in units. */
const lengthOfMeter = ({ beats, beatType }: Omit<Meter, 'quarter'>): number =>
  (beats * 4 * QUARTER) / beatType

/** Whether the beats of a meter have three parts. */
export const isCompound = ({ beats, beatType }: Omit<Meter, 'quarter'>): boolean =>
  beatType >= 8 && beats % 3 === 0

/**
 * The beats of a full measure. Meters in quarters and longer values have quarter beats. Meters in shorter values have beats of
 * three values if they divide by three, otherwise of two, and the last one has three if their number is odd.
 */
function beatsOf(meter: Omit<Meter, 'quarter'>): number[] {
  const value = (4 * QUARTER) / meter.beatType
  if (meter.beatType <= 4) return Array.from({ length: (meter.beats * 4) / meter.beatType }, () => QUARTER)
  if (isCompound(meter)) return Array.from({ length: meter.beats / 3 }, () => 3 * value)
  const beats = Array.from({ length: Math.max(1, Math.floor(meter.beats / 2)) }, () => 2 * value)
  if (meter.beats % 2 === 1) beats.splice(-1, 1, (meter.beats === 1 ? 1 : 3) * value)
  return beats
}

/** The beats of the first units of a measure, or of its last ones. */
function beatsWithin(meter: Omit<Meter, 'quarter'>, length: number, fromEnd: boolean): number[] {
  const all = fromEnd ? beatsOf(meter).reverse() : beatsOf(meter)
  const beats: number[] = []
  let left = length
  for (let place = 0; left > 0; place++) {
    const beat = Math.min(left, all[place % all.length] ?? QUARTER)
    beats.push(beat)
    left -= beat
  }
  return fromEnd ? beats.reverse() : beats
}

/**
 * A measure of any length.
 * @param length in units
 * @param isPickup its beats are those at the end of a full measure
 */
export function measureOf(meter: Omit<Meter, 'quarter'>, length: number, isPickup: boolean): Measure {
  return {
    start: 0,
    length,
    meter: { beats: meter.beats, beatType: meter.beatType },
    isMeterShown: false,
    isImplicit: length < lengthOfMeter(meter),
    beats: beatsWithin(meter, length, isPickup),
  }
}

export interface MeasureOptions {
  /** The end of the last measure is here or later, in units. */
  readonly end: number
  /** The length of a pick-up in units, which begins at 0. 0 without one. */
  readonly pickup: number
  /** More measures than that are not made. */
  readonly limit: number
}

/**
 * Divides the time into measures. A time signature within a measure begins a new one. A first time signature that holds for one measure
 * and is shorter than the next one is a pick-up of the next one.
 * @param meters by place; the first one holds from the beginning, also if it stands later. Without any, 4/4 is taken
 */
export function measuresOf(meters: readonly Meter[], { end, pickup, limit }: MeasureOptions): Measure[] {
  const changes = changesOf(meters)
  const measures: Measure[] = []
  let shown: Omit<Meter, 'quarter'> | undefined
  let start = 0
  let place = 0
  const add = (length: number, meter: Omit<Meter, 'quarter'>, isPickup: boolean) => {
    const isMeterShown = shown?.beats !== meter.beats || shown.beatType !== meter.beatType
    shown = meter
    const beats = beatsWithin(meter, length, isPickup)
    const isImplicit = length < lengthOfMeter(meter)
    const { beats: count, beatType } = meter
    measures.push({ start, length, meter: { beats: count, beatType }, isMeterShown, isImplicit, beats })
    start += length
  }
  const opening = pickupOf(changes) ?? (pickup > 0 ? pickup : leadOf(changes))
  const [first] = changes
  if (opening > 0 && first !== undefined) {
    const next = changes[1]
    add(opening, next !== undefined && next.at <= opening ? next : first, true)
  }
  while ((start < end || measures.length === 0) && measures.length < limit) {
    while ((changes[place + 1]?.at ?? Number.POSITIVE_INFINITY) <= start) place += 1
    const meter = changes[place] ?? { beats: 4, beatType: 4 }
    const next = changes[place + 1]?.at ?? Number.POSITIVE_INFINITY
    add(Math.min(lengthOfMeter(meter), next - start), meter, false)
  }
  return measures
}

interface Change extends Omit<Meter, 'quarter'> {
  readonly at: number
}

/** The changes on the grid of 64th notes, one at a place, the first one at the beginning. */
function changesOf(meters: readonly Meter[]): Change[] {
  const grid = QUARTER / 16
  const byPlace = new Map<number, Change>()
  for (const { quarter, beats, beatType } of meters) {
    const at = Math.round((quarter * QUARTER) / grid) * grid
    byPlace.set(at, { at, beats, beatType })
  }
  const changes = [...byPlace.values()].sort((a, b) => a.at - b.at)
  const { at = 0, beats = 4, beatType = 4 } = changes[0] ?? {}
  if (at !== 0 || changes.length === 0) changes.unshift({ at: 0, beats, beatType })
  return changes
}

/** The units before the first full measure if the first time signature stands later than the beginning, between two measures of it. */
function leadOf([first, second]: readonly Change[]): number {
  const isSame = first !== undefined && second?.beats === first.beats && second.beatType === first.beatType
  return isSame ? second.at % lengthOfMeter(first) : 0
}

/** The length of a pick-up that the first time signature shows. */
function pickupOf([first, second]: readonly Change[]): number | undefined {
  if (first === undefined || second === undefined) return undefined
  const length = lengthOfMeter(first)
  return second.at === length && length < lengthOfMeter(second) ? length : undefined
}

/** The starts of all beats, and the end of the last one, in units. */
export function beatStarts(measures: readonly Measure[]): number[] {
  const starts: number[] = []
  let end = 0
  for (const { start, beats } of measures) {
    end = start
    for (const beat of beats) {
      starts.push(end)
      end += beat
    }
  }
  return [...starts, end]
}
