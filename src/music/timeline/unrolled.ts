import { placeAt } from '../../lib/numbers.ts'
import type { PlayedMeasure } from './played.ts'

/**
 * Puts values of the written score (tempos, meters, keys) into the order of playing: each played measure
 * begins with the value in force there, followed by the changes within it. A value equal to the one before is
 * left out. `written` is sorted by tick.
 */
export function unroll<State extends { readonly tick: number }>(
  written: readonly State[],
  columnStarts: readonly number[],
  measures: readonly PlayedMeasure[],
  isSame: (a: State, b: State) => boolean,
): State[] {
  const ticks = written.map(({ tick }) => tick)
  const played: State[] = []
  for (const { index, startTick } of measures) {
    const from = columnStarts[index] ?? 0
    const to = columnStarts[index + 1] ?? from
    for (let place = Math.max(0, placeAt(ticks, from)); place < written.length; place++) {
      const state = written[place]
      if (state === undefined || (state.tick >= to && state.tick > from)) break
      const tick = startTick + Math.max(0, state.tick - from)
      const last = played.at(-1)
      if (last !== undefined && isSame(last, state)) continue
      if (last?.tick === tick) played.pop()
      played.push({ ...state, tick })
    }
  }
  return played
}
