import { secondsAt } from '../../music/timeline/tempo-changes.ts'
import type { Timeline, TimelinePart } from '../../music/timeline/played.ts'

/** The number of moments. */
const most = 8
/** Steps in a second. */
const rate = 20
/** Steps between two moments, so that they are of different passages. */
const distance = 2 * rate
/** Steps at the beginning of a note in which it counts three times more, because many sounds fade. */
const attack = rate / 5

/**
 * Returns the moments at which the music is probably loudest, in seconds, the loudest first. It is an estimate from the
 * velocities and the volume of the parts: the instruments differ in loudness as well.
 */
export function loudestMoments(timeline: Timeline): number[] {
  const power = powerOf(timeline)
  const moments: number[] = []
  while (moments.length < most) {
    const step = power.reduce((best, value, step) => (value > (power[best] as number) ? step : best), 0)
    if (!((power[step] ?? 0) > 0)) break
    moments.push(step / rate)
    power.fill(0, Math.max(0, step - distance), step + distance)
  }
  return moments
}

/** The power of all notes, by step. */
function powerOf({ parts, tempos, ticksPerQuarter, durationSeconds }: Timeline): Float64Array {
  const seconds = secondsAt(tempos, ticksPerQuarter)
  const changes = new Float64Array(Math.ceil(durationSeconds * rate) + attack + 2)
  const add = (from: number, to: number, value: number) => {
    changes[from] = (changes[from] ?? 0) + value
    changes[to] = (changes[to] ?? 0) - value
  }
  for (const part of parts) {
    const volume = volumeOf(part)
    for (const { startTick, endTick, velocity } of part.notes) {
      const from = Math.floor(seconds(startTick) * rate)
      const to = Math.max(from + 1, Math.ceil(seconds(endTick) * rate))
      // The gain is the square of the velocity (SoundFont 2.01, 8.4.1), and the power is the square of the gain.
      const power = (velocity / 127) ** 4 * volume(startTick)
      add(from, to, power)
      add(from, Math.min(to, from + attack), 2 * power)
    }
  }
  let sum = 0
  return changes.map((change) => {
    sum += change
    return sum
  })
}

/** Returns a function from ticks, which only rise, to the power that the volume control of a part allows. */
function volumeOf({ controls }: TimelinePart): (tick: number) => number {
  const volumes = controls.filter(({ controller }) => controller === 7)
  let next = 0
  let value = 100
  return (tick) => {
    for (let change = volumes[next]; change && change.tick <= tick; change = volumes[++next])
      value = change.value
    return (value / 127) ** 4
  }
}
