import { expect, test } from 'vitest'
import { smallHall } from './reverb.ts'

/** The impulse response of the reverberation, in blocks of 128 samples. */
function answerToClick(seconds: number) {
  const addReflections = smallHall()
  const frames = Math.ceil((seconds * 44_100) / 128) * 128
  const left = new Float32Array(frames)
  const right = new Float32Array(frames)
  const input = new Float32Array(128)
  for (let start = 0; start < frames; start += 128) {
    input[0] = start === 0 ? 1 : 0
    addReflections(input, left.subarray(start, start + 128), right.subarray(start, start + 128))
  }
  return { left, right }
}

const energy = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0)

test('rings for about a second and then is quiet', () => {
  const { left } = answerToClick(3)
  const first = energy(left.subarray(0, 4410))
  expect(first).toBeGreaterThan(0)
  expect(energy(left.subarray(22_050, 26_460))).toBeLessThan(first / 100)
  expect(energy(left.subarray(88_200, 92_610))).toBeLessThan(first / 1e6)
})

test('differs between the channels, which are equally loud', () => {
  const { left, right } = answerToClick(1)
  expect(left).not.toEqual(right)
  expect(energy(left) / energy(right)).toBeCloseTo(1, 0)
})

test('adds to the dry sound without changing it', () => {
  const left = new Float32Array(128).fill(0.5)
  const right = new Float32Array(128).fill(-0.5)
  smallHall()(new Float32Array(128), left, right)
  expect(left.every((sample) => sample === 0.5) && right.every((sample) => sample === -0.5)).toBe(true)
})
