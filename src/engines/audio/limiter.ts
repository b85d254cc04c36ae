import { peakOf, type Stereo } from './sound.ts'

/** Frames whose peak decides about one gain. A block has a whole number of them. */
const stepFrames = 64
/** Steps over which the gain may fall from 1 to 0 before a peak, so that it falls without a click: 12 ms. */
const attackSteps = 8
/** Steps over which it may rise from 0 to 1 after a peak: a quarter of a second. */
const releaseSteps = 172

/**
 * Limits sound to a peak. It looks at the next block before it returns one, so the gain has fallen when a peak begins, and stays
 * the same for sound below the peak: then the samples are not changed.
 */
export interface Limiter {
  /** Takes the next block and returns the one before. All blocks have the same length. */
  next(block: Stereo): Stereo | undefined
  /** Returns the last block. */
  end(): Stereo | undefined
}

/** @param peak the largest absolute value of a sample in the result */
export function createLimiter(peak: number): Limiter {
  let pending: { block: Stereo; gains: Float64Array } | undefined
  /** The gain at the end of the block before. */
  let gainBefore = 1

  function release(following: Float64Array): Stereo | undefined {
    if (!pending) return undefined
    const { block, gains } = pending
    const isUntouched = gainBefore === 1 && [...gains, ...following.subarray(0, attackSteps)].every(isOne)
    if (!isUntouched) gainBefore = applyGains(block, edgesOf(gainBefore, gains, following))
    return block
  }

  return {
    next(block) {
      const gains = gainsOf(block, peak)
      const released = release(gains)
      pending = { block, gains }
      return released
    },
    end() {
      const released = release(new Float64Array(attackSteps).fill(1))
      pending = undefined
      return released
    },
  }
}

const isOne = (gain: number) => gain === 1

/** The largest gain that each step may have. */
function gainsOf(block: Stereo, peak: number): Float64Array {
  const { left, right } = block
  const steps = left.length / stepFrames
  if (peakOf(block) <= peak) return new Float64Array(steps).fill(1)
  return Float64Array.from({ length: steps }, (_, step) => {
    const from = step * stepFrames
    const to = from + stepFrames
    return Math.min(1, peak / peakOf({ left: left.subarray(from, to), right: right.subarray(from, to) }))
  })
}

/**
 * Returns the gains at the edges of the steps of a block, from its beginning to its end. They fall in time for the steps
 * that follow.
 */
function edgesOf(before: number, gains: Float64Array, following: Float64Array): Float64Array {
  const steps = Float64Array.of(...gains, ...following.subarray(0, attackSteps))
  const edges = new Float64Array(steps.length + 1).fill(1)
  for (let edge = steps.length - 1; edge > 0; edge--) {
    const own = Math.min(steps[edge - 1] as number, steps[edge] as number)
    edges[edge] = Math.min(own, (edges[edge + 1] as number) + 1 / attackSteps)
  }
  edges[0] = before
  for (let edge = 1; edge < edges.length; edge++)
    edges[edge] = Math.min(edges[edge] as number, (edges[edge - 1] as number) + 1 / releaseSteps)
  return edges.subarray(0, gains.length + 1)
}

/** Multiplies the samples by the gains, which run straight from edge to edge. Returns the last gain. */
function applyGains({ left, right }: Stereo, edges: Float64Array): number {
  for (let i = 0; i < left.length; i++) {
    const step = Math.floor(i / stepFrames)
    const from = edges[step] as number
    const gain = from + ((edges[step + 1] as number) - from) * ((i % stepFrames) / stepFrames)
    left[i] = (left[i] as number) * gain
    right[i] = (right[i] as number) * gain
  }
  return edges.at(-1) as number
}
