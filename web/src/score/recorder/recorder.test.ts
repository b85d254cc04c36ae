import { expect, it } from 'vitest'
import { findMark, markAt } from './mark.ts'
import { pointsOf } from './play-along.ts'

const sampleRate = 24_000

/** Music that is louder than the mark: a chord and noise. */
const music = (seconds: number): Float32Array => {
  let random = 1
  return Float32Array.from({ length: seconds * sampleRate }, (_, index) => {
    random = (random * 48_271) % 2_147_483_647
    const time = index / sampleRate
    const chord = [220, 277, 330].reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * time), 0)
    return 0.02 * chord + 0.02 * (random / 1_073_741_823 - 1)
  })
}

it('the mark is found in a recording to the sample', () => {
  const samples = music(0.5)
  for (const [index, sample] of markAt(sampleRate).entries())
    samples[3210 + index] = (samples[3210 + index] ?? 0) + sample
  expect(findMark(samples, sampleRate)).toBeCloseTo(3210 / sampleRate, 3)
})

it('there is no mark in music, silence, or nothing', () => {
  for (const samples of [music(0.5), new Float32Array(9000), new Float32Array(0)])
    expect(findMark(samples, sampleRate)).toBeUndefined()
})

const measures = [0, 2, 4].map((start) => ({ uuid: `m${start}`, start, end: start + 2 }))
const timesOf = (along: Partial<Parameters<typeof pointsOf>[0]>) =>
  pointsOf({ measures, from: 0, until: 6, tempo: 1, start: 1.5, ...along }).map(
    (point) => `${point.type === 'measure' ? point.measureUuid : 'end'} ${point.time}`,
  )

it('a recording that was played along knows when each measure begins', () => {
  expect(timesOf({})).toEqual(['m0 1.5', 'm2 3.5', 'm4 5.5', 'end 7.5'])
  expect(timesOf({ tempo: 0.5 })).toEqual(['m0 1.5', 'm2 5.5', 'm4 9.5', 'end 13.5'])
})

it('a recording of a passage has the measures of the passage', () => {
  expect(timesOf({ from: 2, start: -0.5 })).toEqual(['m2 1.5', 'm4 3.5', 'end 5.5'])
  expect(timesOf({ until: 3 })).toEqual(['m0 1.5', 'm2 3.5', 'end 4.5'])
  expect(timesOf({ until: 0 })).toEqual([])
})
