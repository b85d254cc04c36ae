import { expect, it } from 'vitest'
import { musicOfRecording } from './recording.ts'

const note = (start: number, end: number, id: string) => ({ start, end, part: 0, key: 60, ids: [id] })
/** A measure of two notes, which is repeated, and a measure of one. */
const score = {
  measures: [
    { uuid: 'a', start: 0, end: 2 },
    { uuid: 'a', start: 2, end: 4 },
    { uuid: 'b', start: 4, end: 6 },
  ],
  quartersAt: (seconds: number) => 2 * seconds,
  notes: [note(0, 1, '1'), note(1, 2, '2'), note(2, 3, '1'), note(3, 4, '2'), note(4, 6, '3')],
}
const address = async () => '/x.mp3'
const at = (time: number, measureUuid?: string) =>
  measureUuid === undefined
    ? ({ type: 'end', time } as const)
    : ({ type: 'measure', measureUuid, time } as const)
const timesOf = (points: ReturnType<typeof at>[]) =>
  musicOfRecording(score, address, points).notes.map(({ start, end, ids }) => `${ids[0]} ${start}-${end}`)

it('the notes of a measure are as fast as the recording plays it', () => {
  const points = [at(10, 'a'), at(14, 'a'), at(15, 'b'), at(18)]
  const { measures, durationSeconds } = musicOfRecording(score, address, points)
  expect(measures.map(({ uuid, start, end }) => [uuid, start, end])).toEqual([
    ['a', 10, 14],
    ['a', 14, 15],
    ['b', 15, 18],
  ])
  expect(durationSeconds).toBe(18)
  expect(timesOf(points)).toEqual(['1 10-12', '2 12-14', '1 14-14.5', '2 14.5-15', '3 15-18'])
})

it('a recording may leave out a repeat or play one more', () => {
  expect(timesOf([at(0, 'a'), at(2, 'b'), at(4)])).toEqual(['1 0-1', '2 1-2', '3 2-4'])
  expect(timesOf([at(0, 'a'), at(2, 'a'), at(4, 'a'), at(6)])).toHaveLength(6)
})

it('a place of the recording is a place of the score', () => {
  const { quartersAt } = musicOfRecording(score, address, [at(10, 'a'), at(14, 'b'), at(15)])
  expect([9, 10, 12, 14, 14.5, 99].map(quartersAt)).toEqual([0, 0, 2, 8, 10, 12])
})

it('the last measure has an end also if the recording does not say it', () => {
  expect(musicOfRecording(score, address, [at(3, 'b')]).durationSeconds).toBe(7)
})

it('measures that were deleted from the score have no notes', () => {
  expect(timesOf([at(0, 'gone'), at(2, 'b'), at(4)])).toEqual(['3 2-4'])
})
