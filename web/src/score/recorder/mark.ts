/**
 * The mark of a recording: a short sweep that is mixed into it at a known time of the audio clock. A browser does not say which
 * moment the first sample of a recording is, and the delay of its recorder differs by up to a tenth of a second.
 */
const mark = { seconds: 0.012, fromHertz: 1500, toHertz: 4500, level: 0.2 } as const

/** The least correlation with the mark, from 0 to 1. Coded sound has above 0.8, and music some 0.3. */
const leastCorrelation = 0.55

/** Returns the samples of the mark. */
export function markAt(sampleRate: number): Float32Array<ArrayBuffer> {
  const { seconds, fromHertz, toHertz, level } = mark
  const length = Math.round(seconds * sampleRate)
  return Float32Array.from({ length }, (_, index) => {
    const time = index / sampleRate
    const phase = 2 * Math.PI * (fromHertz * time + ((toHertz - fromHertz) * time * time) / (2 * seconds))
    const window = Math.sin((Math.PI * index) / length) ** 2
    return level * window * Math.sin(phase)
  })
}

/**
 * Finds the mark in the first seconds of a recording, by the normalized correlation with its samples.
 * @returns where it begins, in seconds; undefined if it is not there
 */
export function findMark(samples: Float32Array, sampleRate: number): number | undefined {
  const wanted = markAt(sampleRate)
  const ownEnergy = energyOf(wanted)
  let energy = energyOf(samples.subarray(0, wanted.length))
  let best = { correlation: leastCorrelation, index: -1 }
  for (let index = 0; index + wanted.length <= samples.length; index++) {
    let product = 0
    for (let at = 0; at < wanted.length; at++) product += (wanted[at] ?? 0) * (samples[index + at] ?? 0)
    const correlation = product / Math.sqrt(ownEnergy * Math.max(energy, ownEnergy / 1e4))
    if (correlation > best.correlation) best = { correlation, index }
    energy += (samples[index + wanted.length] ?? 0) ** 2 - (samples[index] ?? 0) ** 2
  }
  return best.index < 0 ? undefined : best.index / sampleRate
}

const energyOf = (samples: Float32Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0)
