/** Samples per second and channel. */
export const sampleRate = 44_100
/** Frames (a sample of each channel) in a block: about a tenth of a second. */
export const blockFrames = 4096

/** Samples of both channels, of equal length. */
export interface Stereo {
  left: Float32Array
  right: Float32Array
}

/** Sound that is stored until its peak is known. Takes half the memory of floating point samples. */
export interface Recording {
  readonly frames: number
  /** Adds a block of `blockFrames`, of any loudness. */
  add(block: Stereo): void
  /** The largest absolute value of all samples. */
  peak(): number
  /**
   * Yields the whole recording in order, with all samples times `gain`. Releases each block after it was
   * yielded.
   */
  play(gain: number): Generator<Stereo, void>
}

/** The samples of a block as shares of its peak, the left channel first. */
interface Block {
  shares: Int16Array
  peak: number
}

const fullShare = 32_767

/**
 * Creates an empty recording. It takes 176 kB per second. Frames of the last block beyond `frames` are cut
 * off.
 */
export function createRecording(frames: number): Recording {
  const blocks: Block[] = []
  let highest = 0
  return {
    frames,
    add({ left, right }) {
      const peak = Math.max(peakOf(left), peakOf(right))
      const shares = new Int16Array(2 * blockFrames)
      const scale = peak > 0 ? fullShare / peak : 0
      for (let i = 0; i < blockFrames; i++) {
        shares[i] = Math.round((left[i] as number) * scale)
        shares[blockFrames + i] = Math.round((right[i] as number) * scale)
      }
      blocks.push({ shares, peak })
      highest = Math.max(highest, peak)
    },
    peak: () => highest,
    *play(gain) {
      blocks.reverse()
      for (let block = blocks.pop(), from = 0; block; block = blocks.pop(), from += blockFrames) {
        const { shares, peak } = block
        const scale = (peak * gain) / fullShare
        const length = Math.min(blockFrames, frames - from)
        const left = new Float32Array(length)
        const right = new Float32Array(length)
        for (let i = 0; i < length; i++) {
          left[i] = (shares[i] as number) * scale
          right[i] = (shares[blockFrames + i] as number) * scale
        }
        yield { left, right }
      }
    },
  }
}

function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) if (sample > peak || -sample > peak) peak = Math.abs(sample)
  return peak
}
