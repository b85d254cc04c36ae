import { expect, test } from 'vitest'
import { measuresOf, QUARTER } from './measures.ts'
import { plainSymbols } from './symbols.ts'

/** The values of a note in a measure of a meter, in quarter notes. */
function valuesOf(beats: number, beatType: number, from: number, to: number): number[] {
  const options = { end: 1, pickup: 0, limit: 1 }
  const [measure] = measuresOf([{ quarter: 0, beats, beatType }], options)
  if (measure === undefined) throw new Error('There is no measure.')
  return plainSymbols(from * QUARTER, to * QUARTER, measure, false).map(({ duration }) => duration / QUARTER)
}

test.each([
  [6, 4, 2, 4, [1, 1]],
  [6, 4, 0, 4, [3, 1]],
  [6, 4, 0, 6, [6]],
  [6, 4, 1, 3, [2]],
  [3, 2, 1.5, 3, [0.5, 1]],
  [3, 2, 1, 3, [2]],
  [3, 2, 0, 3, [3]],
  [3, 2, 1, 4, [1, 2]],
  [3, 2, 2, 6, [4]],
  [4, 4, 1, 3, [2]],
])('the values of %i/%i show its groups: from %f to %f', (beats, beatType, from, to, values) => {
  expect(valuesOf(beats, beatType, from, to)).toEqual(values)
})
