import { placeAt } from '../../lib/numbers.ts'
import type { TempoChange } from './played.ts'
import type { WrittenTempo } from './tempo-map.ts'

/** Puts the tempos of the playback on the clock. Time is counted in the whole microseconds that a MIDI file has. */
export function tempoChangesOf(tempos: readonly WrittenTempo[], ticksPerQuarter: number): TempoChange[] {
  const changes: TempoChange[] = []
  for (const { tick, quartersPerMinute } of tempos) {
    const microsecondsPerQuarter = Math.round(60_000_000 / quartersPerMinute)
    const seconds = secondsIn(changes.at(-1), tick, ticksPerQuarter)
    changes.push({ tick, seconds, microsecondsPerQuarter, quartersPerMinute })
  }
  return changes
}

/** When a tick sounds, in seconds from the beginning. */
export function secondsAt(tempos: readonly TempoChange[], ticksPerQuarter: number): (tick: number) => number {
  const ticks = tempos.map(({ tick }) => tick)
  return (tick) => secondsIn(tempos[placeAt(ticks, tick)], tick, ticksPerQuarter)
}

/** Seconds with milliseconds, as times are given to clients. */
export const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** How many ticks a second has at a tick. */
export function ticksPerSecondAt(
  tempos: readonly TempoChange[],
  ticksPerQuarter: number,
): (tick: number) => number {
  const ticks = tempos.map(({ tick }) => tick)
  return (tick) => {
    const { microsecondsPerQuarter = 500_000 } = tempos[placeAt(ticks, tick)] ?? {}
    return (ticksPerQuarter * 1_000_000) / microsecondsPerQuarter
  }
}

function secondsIn(tempo: TempoChange | undefined, tick: number, ticksPerQuarter: number): number {
  if (tempo === undefined) return 0
  const quarters = (tick - tempo.tick) / ticksPerQuarter
  return tempo.seconds + (quarters * tempo.microsecondsPerQuarter) / 1_000_000
}
