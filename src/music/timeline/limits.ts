import { fail } from '../../errors.ts'

/** Nested repeats multiply. No real score comes near this limit. */
export const MAX_PLAYED_MEASURES = 20_000
/** Notes, syllables, marks and tempos that are played, repeats included; the largest orchestral scores have 200,000. */
export const MAX_PLAYED_EVENTS = 500_000
/** How often the music jumps back by D.C. and D.S. */
export const MAX_JUMPS = 200
/** The maximum number of an ending. */
export const MAX_ENDING_NUMBER = 1_000
export const MAX_DURATION_SECONDS = 24 * 60 * 60

/** Throws INVALID_MUSICXML for a limit that is exceeded at the measure with that printed number. */
export function tooMuch(excess: string, measure: string): never {
  fail('INVALID_MUSICXML', {
    message: `With its repeats the score ${excess}, at measure ${measure.slice(0, 40)}.`,
  })
}
