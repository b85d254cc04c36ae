/**
 * Lengths of the delay lines in samples at 44.1 kHz. They are primes, so that their echoes do not coincide.
 */
const combLengths = [
  [1103, 1201, 1297, 1399],
  [1129, 1229, 1319, 1423],
] as const
const allpassLengths = [
  [229, 547],
  [241, 563],
] as const
/**
 * The gain of one pass through a delay line. With these lengths a sound fades by 60 dB in about 0.9 s, as in
 * a small hall.
 */
const feedback = 0.8
/** The share of the treble that each pass absorbs. */
const damping = 0.35
const diffusion = 0.5
const gain = 0.045

interface Delay {
  readonly line: Float32Array
  at: number
  /** State of the low-pass filter of a comb. */
  treble: number
}

/**
 * A Schroeder reverberator ("Natural Sounding Artificial Reverberation", 1962) with low-pass filters in the
 * combs (Moorer, 1979): four combs and two all-passes for each channel. The synthesizer's own reverberation
 * takes more time than all of its voices; this one takes a tenth of that.
 * @returns a function that adds the reflections of `input` to the dry sound. All have the same length.
 */
export function smallHall(): (input: Float32Array, left: Float32Array, right: Float32Array) => void {
  const sides = combLengths.map((lengths, side) => ({
    combs: lengths.map(delay),
    allpasses: (allpassLengths[side] ?? []).map(delay),
  }))
  return (input, left, right) => {
    for (const [index, { combs, allpasses }] of sides.entries()) {
      const wet = new Float32Array(input.length)
      for (const comb of combs) addComb(comb, input, wet)
      for (const allpass of allpasses) passThrough(allpass, wet)
      const output = index === 0 ? left : right
      for (let i = 0; i < wet.length; i++) output[i] = (output[i] as number) + (wet[i] as number) * gain
    }
  }
}

function delay(length: number): Delay {
  return { line: new Float32Array(length), at: 0, treble: 0 }
}

function addComb(comb: Delay, input: Float32Array, output: Float32Array): void {
  const { line } = comb
  let { at, treble } = comb
  for (let i = 0; i < input.length; i++) {
    const echo = line[at] as number
    treble = echo + (treble - echo) * damping
    line[at] = (input[i] as number) + treble * feedback
    output[i] = (output[i] as number) + echo
    if (++at === line.length) at = 0
  }
  comb.at = at
  comb.treble = treble
}

function passThrough(allpass: Delay, signal: Float32Array): void {
  const { line } = allpass
  let { at } = allpass
  for (let i = 0; i < signal.length; i++) {
    const delayed = line[at] as number
    const sample = signal[i] as number
    line[at] = sample + delayed * diffusion
    signal[i] = delayed - sample * diffusion
    if (++at === line.length) at = 0
  }
  allpass.at = at
}
