import { expect, test } from 'vitest'
import { blockFrames, createRecording } from './recording.ts'

const block = (left: number, right: number) => ({
  left: new Float32Array(blockFrames).fill(left),
  right: new Float32Array(blockFrames).fill(right),
})

test('plays blocks in order, times the gain, and only as many frames as the recording has', () => {
  const recording = createRecording(blockFrames + 10)
  recording.add(block(0.001, -0.002))
  recording.add(block(1.5, -3))
  expect(recording.peak()).toBe(3)
  const played = [...recording.play(0.25)]
  expect(played.map(({ left, right }) => [left.length, right.length])).toEqual([
    [blockFrames, blockFrames],
    [10, 10],
  ])
  expect(played.flatMap(({ left, right }) => [left[0], right[9]])).toEqual([
    expect.closeTo(0.00025, 7),
    expect.closeTo(-0.0005, 7),
    expect.closeTo(0.375, 4),
    expect.closeTo(-0.75, 4),
  ])
})

test('keeps the detail of a soft block next to a loud one', () => {
  const recording = createRecording(2 * blockFrames)
  const soft = block(0, 0)
  for (let i = 0; i < blockFrames; i++) soft.left[i] = 1e-5 * Math.sin(i / 10)
  recording.add(block(1, 1))
  recording.add(soft)
  const [, played] = [...recording.play(1)]
  for (const [i, sample] of soft.left.entries())
    expect(Math.abs((played?.left[i] as number) - sample)).toBeLessThan(1e-9)
})

test('keeps silence silent', () => {
  const recording = createRecording(blockFrames)
  recording.add(block(0, 0))
  expect(recording.peak()).toBe(0)
  expect([...recording.play(1)][0]?.left.every((sample) => sample === 0)).toBe(true)
})
