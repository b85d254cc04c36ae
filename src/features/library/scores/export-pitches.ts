import { fail } from '../../../errors.ts'
import { fifthsOfInterval } from '../../../music/model/key-signature.ts'
import type { PitchSetting, Transposition } from '../../../music/model/transposition/transpose.ts'

const mostSemitones = 24
/** An interval of musical names changes the key signature by at most twelve fifths: that is a diminished second. */
const mostFifths = 12

/**
 * Returns in which pitches a request wants a score, or undefined if it wants those of the score.
 * @param options.transpose semitones, or semitones and steps, separated by a comma
 * @throws INVALID_PARAMETER (`transpose`)
 */
export function requestedPitches({
  transpose,
  concertPitch,
}: {
  readonly transpose?: string | undefined
  readonly concertPitch?: boolean | undefined
}): PitchSetting | undefined {
  const interval = transpose === undefined ? undefined : intervalOf(transpose)
  if (!interval && concertPitch === undefined) return undefined
  return { ...(interval && { transpose: interval }), ...(concertPitch !== undefined && { concertPitch }) }
}

/** Undefined for the interval that moves nothing. */
function intervalOf(transpose: string): Transposition | undefined {
  const [semitones = 0, steps] = transpose.split(',').map(Number)
  if (Math.abs(semitones) > mostSemitones)
    fail('INVALID_PARAMETER', {
      param: 'transpose',
      message: `A score is transposed by at most ${mostSemitones} semitones.`,
    })
  if (steps !== undefined && Math.abs(fifthsOfInterval(semitones, steps)) > mostFifths)
    fail('INVALID_PARAMETER', {
      param: 'transpose',
      message: `No interval has ${semitones} semitones and ${steps} steps.`,
    })
  if (semitones === 0 && !steps) return undefined
  return { semitones, ...(steps !== undefined && { steps }) }
}
