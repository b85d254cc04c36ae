/** An onset for the search of the beat. */
export interface WeightedOnset {
  readonly seconds: number
  /** How much it stands out; 1 for an ordinary note. */
  readonly weight: number
}

/** Frames per second. */
const RATE = 100
/** Seconds. A longer performance keeps the beat of its file. */
const LONGEST = 7200
/** The shortest and the longest beat, and the most usual one, in frames. */
const SHORTEST_BEAT = 0.3 * RATE
const LONGEST_BEAT = 1.3 * RATE
const USUAL_BEAT = 0.6 * RATE
/** Octaves around the usual beat. */
const SPREAD = 0.8
/** What a change of the beat costs, against the weight of the onsets on it. */
const TIGHTNESS = 50

/**
 * Finds the beats of a performance that was recorded without a metronome: the times, about evenly spaced, at which most onsets fall. A
 * beat can be half or twice as long as the average one, so rubato is followed.
 * (D. P. W. Ellis, Beat Tracking by Dynamic Programming, 2007.)
 * @param onsets by time, at least two
 * @returns seconds of the beats, at least two. The first one is not after the first onset. Undefined for a performance of
 *   more than two hours
 */
export function trackBeats(onsets: readonly WeightedOnset[]): number[] | undefined {
  const first = onsets[0]?.seconds ?? 0
  const duration = (onsets.at(-1)?.seconds ?? 0) - first
  if (duration > LONGEST) return undefined
  const envelope = envelopeOf(onsets, first, Math.ceil(duration * RATE) + 2 * RATE)
  const period = periodOf(envelope)
  const frames = beatFrames(envelope, period)
  while ((frames[0] ?? 0) > 3) frames.unshift((frames[0] as number) - period)
  while (frames.length < 2) frames.push((frames.at(-1) ?? -period) + period)
  return frames.map((frame) => first + frame / RATE)
}

/** The weight of the onsets in each frame, with a standard deviation of 1. */
function envelopeOf(onsets: readonly WeightedOnset[], first: number, length: number): Float64Array {
  const raw = new Float64Array(length)
  const shape = [1, 0.8, 0.4, 0.15]
  for (const { seconds, weight } of onsets) {
    const frame = Math.round((seconds - first) * RATE)
    for (const [distance, share] of shape.entries()) {
      for (const at of distance === 0 ? [frame] : [frame - distance, frame + distance])
        if (at >= 0 && at < length) raw[at] = (raw[at] as number) + weight * share
    }
  }
  const mean = raw.reduce((sum, one) => sum + one, 0) / length
  const deviation = Math.sqrt(raw.reduce((sum, one) => sum + (one - mean) ** 2, 0) / length) || 1
  return raw.map((one) => one / deviation)
}

/** The length of the beat in frames, by the similarity of the onsets with themselves that much later. */
function periodOf(envelope: Float64Array): number {
  let best = { lag: USUAL_BEAT, score: 0 }
  for (let lag = SHORTEST_BEAT; lag <= LONGEST_BEAT; lag++) {
    let sum = 0
    for (let at = lag; at < envelope.length; at++)
      sum += (envelope[at] as number) * (envelope[at - lag] as number)
    const score = sum * Math.exp(-((Math.log2(lag / USUAL_BEAT) / SPREAD) ** 2) / 2)
    if (score > best.score) best = { lag, score }
  }
  return best.lag
}

function beatFrames(envelope: Float64Array, period: number): number[] {
  const scores = new Float64Array(envelope.length)
  const before = new Int32Array(envelope.length).fill(-1)
  const [shortest, longest] = [Math.round(period / 2), Math.round(period * 2)]
  const penalties = Float64Array.from({ length: longest + 1 }, (_, lag) =>
    lag === 0 ? 0 : TIGHTNESS * Math.log(lag / period) ** 2,
  )
  for (let at = 0; at < envelope.length; at++) {
    let best = 0
    for (let lag = shortest; lag <= longest && lag <= at; lag++) {
      const score = (scores[at - lag] as number) - (penalties[lag] as number)
      if (score > best) {
        best = score
        before[at] = at - lag
      }
    }
    scores[at] = (envelope[at] as number) + best
  }
  let last = envelope.length - 1
  for (let at = Math.max(0, envelope.length - Math.round(2 * period)); at < envelope.length; at++)
    if ((scores[at] as number) > (scores[last] as number)) last = at
  const frames: number[] = []
  for (let at = last; at >= 0; at = before[at] as number) frames.push(at)
  return frames.reverse()
}
