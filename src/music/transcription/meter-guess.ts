/** An onset for the search of the meter. */
export interface AccentedOnset {
  /** Quarter notes from the beginning. */
  readonly quarter: number
  /** How strong it is: long, loud and low notes are strong. */
  readonly weight: number
}

export interface GuessedMeter {
  /** Quarter notes in a measure. */
  readonly beats: 3 | 4
  /** Quarter notes before the first full measure. */
  readonly pickup: number
}

/** Quarter notes from a beat within which an onset is on it. */
const ON_BEAT = 0.12
/** How much better than the usual reading another one must be. */
const CLEARLY = 1.25
const CLEARLY_SHIFTED = 1.5
/** Standard deviations by which first beats stand out at least. */
const LEAST_CONTRAST = 0.6
/** Fewer beats say nothing. */
const FEWEST_BEATS = 16

/**
 * Guesses the meter of music without a time signature, from where its strong onsets fall. Says 4/4 without a pick-up unless another
 * reading is clearly better.
 */
export function guessMeter(onsets: readonly AccentedOnset[]): GuessedMeter {
  const weights: number[] = []
  for (const { quarter, weight } of onsets) {
    const beat = Math.round(quarter)
    if (Math.abs(quarter - beat) > ON_BEAT || beat < 0) continue
    weights[beat] = (weights[beat] ?? 0) + weight
  }
  const beats = Array.from(weights, (weight) => weight ?? 0)
  if (beats.length < FEWEST_BEATS) return { beats: 4, pickup: 0 }
  const [three, four] = [bestPhase(beats, 3), bestPhase(beats, 4)]
  const best = three.contrast > CLEARLY * Math.max(four.contrast, bestPhase(beats, 2).contrast) ? three : four
  if (best.contrast < LEAST_CONTRAST) return { beats: 4, pickup: 0 }
  const isShifted = best.contrast > CLEARLY_SHIFTED * best.unshifted
  return { beats: best === three ? 3 : 4, pickup: isShifted ? best.phase : 0 }
}

/** How far the first beats of measures stand out, in standard deviations, with the best phase and without one. */
function bestPhase(beats: readonly number[], length: number) {
  const mean = beats.reduce((sum, one) => sum + one, 0) / beats.length
  const deviation = Math.sqrt(beats.reduce((sum, one) => sum + (one - mean) ** 2, 0) / beats.length) || 1
  const contrasts = Array.from({ length }, (_, phase) => {
    const first = beats.filter((_, place) => place % length === phase)
    return (first.reduce((sum, one) => sum + one, 0) / first.length - mean) / deviation
  })
  const contrast = Math.max(...contrasts)
  return { contrast, phase: contrasts.indexOf(contrast), unshifted: contrasts[0] ?? 0 }
}
