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
 * takes more time than all of its voices; this one takes a thirtieth of that.
 * @returns a function that adds the reflections of `input` to the dry sound. All have the same length.
 */
export function smallHall(): (input: Float32Array, left: Float32Array, right: Float32Array) => void {
  const sides = combLengths.map((lengths, side) => ({
    combs: lengths.map(delay) as FourDelays,
    allpasses: (allpassLengths[side] ?? []).map(delay) as TwoDelays,
  }))
  return (input, left, right) => {
    for (const [index, side] of sides.entries()) addReflections(side, input, index === 0 ? left : right)
  }
}

type FourDelays = [Delay, Delay, Delay, Delay]
type TwoDelays = [Delay, Delay]

interface Side {
  readonly combs: FourDelays
  readonly allpasses: TwoDelays
}

function delay(length: number): Delay {
  return { line: new Float32Array(length), at: 0, treble: 0 }
}

/** Adds the reflections in pieces in which no delay line reaches its end, so that the innermost loop has no check of it. */
function addReflections(side: Side, input: Float32Array, output: Float32Array): void {
  const delays = [...side.combs, ...side.allpasses]
  for (let from = 0; from < input.length; ) {
    const count = delays.reduce(
      (least, { line, at }) => Math.min(least, line.length - at),
      input.length - from,
    )
    addPiece(side, input.subarray(from, from + count), output.subarray(from, from + count))
    for (const one of delays) one.at = (one.at + count) % one.line.length
    from += count
  }
}

/** One loop for all delay lines of a side takes a third of the time of a loop for each. */
function addPiece(
  { combs: [a, b, c, d], allpasses: [e, f] }: Side,
  input: Float32Array,
  output: Float32Array,
): void {
  const [lineA, lineB, lineC, lineD] = [rest(a), rest(b), rest(c), rest(d)]
  const [lineE, lineF] = [rest(e), rest(f)]
  let { treble: trebleA } = a
  let { treble: trebleB } = b
  let { treble: trebleC } = c
  let { treble: trebleD } = d
  for (let i = 0; i < input.length; i++) {
    const sample = input[i] as number
    const echoA = lineA[i] as number
    const echoB = lineB[i] as number
    const echoC = lineC[i] as number
    const echoD = lineD[i] as number
    trebleA = echoA + (trebleA - echoA) * damping
    trebleB = echoB + (trebleB - echoB) * damping
    trebleC = echoC + (trebleC - echoC) * damping
    trebleD = echoD + (trebleD - echoD) * damping
    lineA[i] = sample + trebleA * feedback
    lineB[i] = sample + trebleB * feedback
    lineC[i] = sample + trebleC * feedback
    lineD[i] = sample + trebleD * feedback
    const echoes = echoA + echoB + echoC + echoD
    const delayedE = lineE[i] as number
    lineE[i] = echoes + delayedE * diffusion
    const passed = delayedE - echoes * diffusion
    const delayedF = lineF[i] as number
    lineF[i] = passed + delayedF * diffusion
    output[i] = (output[i] as number) + (delayedF - passed * diffusion) * gain
  }
  a.treble = trebleA
  b.treble = trebleB
  c.treble = trebleC
  d.treble = trebleD
}

/** The part of a delay line from its present place to its end. */
const rest = ({ line, at }: Delay): Float32Array => line.subarray(at)
