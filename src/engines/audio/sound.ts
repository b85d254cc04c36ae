/** Samples per second and channel. */
export const sampleRate = 44_100
/** Frames (a sample of each channel) in a block: about a tenth of a second. */
export const blockFrames = 4096

/** Samples of both channels, of equal length. */
export interface Stereo {
  left: Float32Array
  right: Float32Array
}

/** Returns the largest absolute value of all samples. */
export function peakOf({ left, right }: Stereo): number {
  let peak = 0
  for (const samples of [left, right])
    for (const sample of samples) if (sample > peak || -sample > peak) peak = Math.abs(sample)
  return peak
}
