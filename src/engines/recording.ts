/** Samples a second of each side. */
export const sampleRate = 44_100
/** Frames (samples of both sides) of a block: a tenth of a second or so. */
export const blockFrames = 4096

/** Samples of both sides, as many of the one as of the other. */
export interface Stereo {
  left: Float32Array
  right: Float32Array
}

/** Sound that is kept until its loudest sample is known, in half of the memory of floating point numbers. */
export interface Recording {
  readonly frames: number
  /** Adds a block of `blockFrames`, of any loudness. */
  add(block: Stereo): void
  /** The largest absolute value of all samples. */
  peak(): number
  /** Gives all that was recorded, in order, with all samples times `gain`. What was given is not kept. */
  play(gain: number): Generator<Stereo, void>
}

/** The samples of a block, first those of the left side, as shares of the block's own peak. */
interface Block {
  shares: Int16Array
  peak: number
}

const fullShare = 32_767

/** An empty recording of so many frames; it takes 176 kB a second. The last block may go beyond them and is cut off. */
export function createRecording(frames: number): Recording {
  const kept: Block[] = []
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
      kept.push({ shares, peak })
      highest = Math.max(highest, peak)
    },
    peak: () => highest,
    *play(gain) {
      kept.reverse()
      for (let block = kept.pop(), from = 0; block; block = kept.pop(), from += blockFrames) {
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
