import { placeAt } from '../../lib/numbers.ts'

/** A tempo from a place on. */
export interface PlacedTempo {
  /** Quarter notes from the beginning. */
  readonly quarter: number
  readonly quartersPerMinute: number
}

/** Converts between places and seconds. */
export interface Clock {
  secondsAt(quarter: number): number
  quarterAt(seconds: number): number
}

/** The tempo of a MIDI file without one. */
const DEFAULT_TEMPO = 120

/** The clock of a piece from its tempos, in any order. */
export function createClock(tempos: readonly PlacedTempo[]): Clock {
  const quarters = [0]
  const seconds = [0]
  const tempo = [DEFAULT_TEMPO]
  for (const { quarter, quartersPerMinute } of tempos.toSorted((a, b) => a.quarter - b.quarter)) {
    const last = quarters.length - 1
    const from = quarters[last] as number
    if (quarter <= from) tempo[last] = quartersPerMinute
    else {
      seconds.push((seconds[last] as number) + ((quarter - from) * 60) / (tempo[last] as number))
      quarters.push(quarter)
      tempo.push(quartersPerMinute)
    }
  }
  return {
    secondsAt(quarter) {
      const place = Math.max(0, placeAt(quarters, quarter))
      return (
        (seconds[place] as number) + ((quarter - (quarters[place] as number)) * 60) / (tempo[place] as number)
      )
    },
    quarterAt(time) {
      const place = Math.max(0, placeAt(seconds, time))
      return (
        (quarters[place] as number) + ((time - (seconds[place] as number)) * (tempo[place] as number)) / 60
      )
    },
  }
}

/** A clock that beats a quarter note at each of the times, and goes on evenly before and after. */
export function clockOfBeats(beats: readonly number[]): Clock {
  const at = (index: number) => beats[index] as number
  const lengthAt = (index: number) => at(index + 1) - at(index)
  const inside = (index: number) => Math.min(beats.length - 2, Math.max(0, index))
  return {
    secondsAt(quarter) {
      const index = inside(Math.floor(quarter))
      return at(index) + (quarter - index) * lengthAt(index)
    },
    quarterAt(time) {
      const index = inside(placeAt(beats, time))
      return index + (time - at(index)) / lengthAt(index)
    },
  }
}
