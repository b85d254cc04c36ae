/** The semitones from C up to each step. */
export const semitonesOfStep = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 } as const
