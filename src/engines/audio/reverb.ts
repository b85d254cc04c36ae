import type { ReverbProcessor } from 'spessasynth_core'

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
 */
export function smallHall(): ReverbProcessor {
  const sides = combLengths.map((lengths, side) => ({
    combs: lengths.map(delay),
    allpasses: (allpassLengths[side] ?? []).map(delay),
  }))
  const wet = new Float32Array(128)
  // MIDI files could change these settings. Our files do not.
  const settings = { level: 64, preLowpass: 0, character: 0, time: 64, delayFeedback: 0, preDelayTime: 0 }
  return {
    ...settings,
    getSnapshot: () => settings,
    process(input, left, right, start, count) {
      for (const [index, { combs, allpasses }] of sides.entries()) {
        wet.fill(0)
        for (const comb of combs) addComb(comb, input, wet, count)
        for (const allpass of allpasses) passThrough(allpass, wet, count)
        const output = index === 0 ? left : right
        for (let i = 0; i < count; i++)
          output[start + i] = (output[start + i] as number) + (wet[i] as number) * gain
      }
    },
  }
}

function delay(length: number): Delay {
  return { line: new Float32Array(length), at: 0, treble: 0 }
}

function addComb(comb: Delay, input: Float32Array, output: Float32Array, count: number): void {
  const { line } = comb
  let { at, treble } = comb
  for (let i = 0; i < count; i++) {
    const echo = line[at] as number
    treble = echo + (treble - echo) * damping
    line[at] = (input[i] as number) + treble * feedback
    output[i] = (output[i] as number) + echo
    if (++at === line.length) at = 0
  }
  comb.at = at
  comb.treble = treble
}

function passThrough(allpass: Delay, signal: Float32Array, count: number): void {
  const { line } = allpass
  let { at } = allpass
  for (let i = 0; i < count; i++) {
    const delayed = line[at] as number
    const sample = signal[i] as number
    line[at] = sample + delayed * diffusion
    signal[i] = delayed - sample * diffusion
    if (++at === line.length) at = 0
  }
  allpass.at = at
}
