import { expect, test } from 'vitest'
import { wavHeader, wavSamples } from './wav.ts'

test('has a header that describes the content, and 16-bit samples that alternate between left and right', () => {
  const sound = [
    { left: Float32Array.of(0, 1), right: Float32Array.of(0.5, -1) },
    { left: Float32Array.of(2), right: Float32Array.of(-2) },
  ]
  const file = Buffer.concat([wavHeader(3), ...sound.map(wavSamples)])
  expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ')
  expect(file.readUInt32LE(4)).toBe(file.length - 8)
  const format = [20, 22].map((at) => file.readUInt16LE(at))
  const rates = [24, 28].map((at) => file.readUInt32LE(at))
  expect([...format, ...rates, file.readUInt16LE(32), file.readUInt16LE(34)]).toEqual([
    1, 2, 44_100, 176_400, 4, 16,
  ])
  expect(file.toString('latin1', 36, 40)).toBe('data')
  expect(file.readUInt32LE(40)).toBe(12)
  const samples = Array.from({ length: 6 }, (_, index) => file.readInt16LE(44 + 2 * index))
  expect(samples).toEqual([0, 16_384, 32_767, -32_767, 32_767, -32_767])
})
