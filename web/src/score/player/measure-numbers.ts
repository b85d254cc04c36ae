import type { PlayedMeasure } from './places.ts'

/** The measures in the order of the score, each once. A measure has the number of its place, from 1. */
export interface MeasureNumbers {
  readonly count: number
  numberOf(uuid: string | undefined): number
  uuidOf(number: number): string | undefined
}

export function measureNumbers(measures: readonly PlayedMeasure[]): MeasureNumbers {
  const uuids = [...new Set(measures.map(({ uuid }) => uuid))]
  const numbers = new Map(uuids.map((uuid, index) => [uuid, index + 1]))
  return {
    count: uuids.length,
    numberOf: (uuid) => numbers.get(uuid ?? '') ?? 0,
    uuidOf: (number) => uuids[number - 1],
  }
}

/** Returns a time as minutes and seconds: `1:05`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
