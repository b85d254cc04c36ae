/** The velocity of 100 percent (MusicXML 4.0, attribute `dynamics` of `sound` and `note`). */
export const FORTE_VELOCITY = 90

/**
 * The MIDI velocity of the dynamic marks that hold until the next one (MusicXML 4.0, element `dynamics`). The specification only
 * defines forte, as velocity 90. The others follow the usual steps of notation programs, with forte slightly
 * higher.
 */
export const dynamicLevels = {
  pppppp: 5,
  ppppp: 8,
  pppp: 12,
  ppp: 16,
  pp: 33,
  p: 49,
  mp: 64,
  mf: 80,
  f: 96,
  ff: 112,
  fff: 126,
  ffff: 127,
  fffff: 127,
  ffffff: 127,
  n: 1,
} as const
