import { expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'
import { blockFrames, type Stereo } from './sound.ts'

const peak = 0.9

/** Sound of three blocks: a sine of 100 Hz, with a passage of another amplitude. */
function sound(amplitudeAt: (frame: number) => number): Float32Array {
  return Float32Array.from(
    { length: 3 * blockFrames },
    (_, frame) => amplitudeAt(frame) * Math.sin((2 * Math.PI * 100 * frame) / 44_100),
  )
}

function limit(samples: Float32Array): Float32Array {
  const limiter = createLimiter(peak)
  const blocks: (Stereo | undefined)[] = []
  for (let from = 0; from < samples.length; from += blockFrames) {
    const left = samples.slice(from, from + blockFrames)
    blocks.push(limiter.next({ left, right: left.map((sample) => -sample) }))
  }
  blocks.push(limiter.end())
  const left = blocks.flatMap((block) => (block ? [...block.left] : []))
  const right = blocks.flatMap((block) => (block ? [...block.right] : []))
  expect(right.every((sample, frame) => sample === -(left[frame] as number))).toBe(true)
  return Float32Array.from(left)
}

test('does not change sound that stays below the peak', () => {
  const soft = sound(() => 0.89)
  expect(limit(soft)).toEqual(soft)
})

// The passage begins in the middle of a block, and across the border of two.
test.each([blockFrames + 2000, blockFrames - 100])(
  'keeps a loud passage from frame %i below the peak, without a click, and returns to the sound as it is',
  (start) => {
    const loud = sound((frame) => (frame >= start && frame < start + 2000 ? 1.8 : 0.5))
    const limited = limit(loud)
    expect(limited).toHaveLength(loud.length)
    expect(limited.every((sample) => Math.abs(sample) <= peak + 1e-6)).toBe(true)
    // The gain of a sample, where the sample is large enough to tell.
    const gains = [...limited].map((sample, frame) =>
      Math.abs(loud[frame] as number) > 0.05 ? sample / (loud[frame] as number) : undefined,
    )
    expect(gains.slice(0, start - 700).every((gain) => gain === undefined || gain === 1)).toBe(true)
    const changes = gains.map((gain, frame) => Math.abs((gain ?? 1) - (gains[frame - 1] ?? gain ?? 1)))
    expect(Math.max(...changes.filter((_, frame) => gains[frame] !== undefined))).toBeLessThan(0.003)
    expect(gains.findLast((gain) => gain !== undefined)).toBeGreaterThan(0.6)
  },
)
