import { expect, it } from 'vitest'
import { presentationCache } from './presentation-cache.ts'

it('returns the same cached JSON while every input is the same', () => {
  const cache = presentationCache(100_000)
  const first = cache('song', ['C', 4, null], () => ({}))
  expect(cache('song', ['C', 4, null], () => ({}))).toBe(first)
})

it.each([[['C', 4]], [['C', 4, null, 0]], [['C', 5, null]], [['C', 4, undefined]]])(
  'makes a new value for the inputs %j',
  (inputs) => {
    const cache = presentationCache(100_000)
    const first = cache('song', ['C', 4, null], () => ({}))
    expect(cache('song', inputs, () => ({}))).not.toBe(first)
  },
)

it('caches one value for each name', () => {
  const cache = presentationCache(100_000)
  const first = cache('song', [1], () => ({}))
  expect(cache('dance', [1], () => ({}))).not.toBe(first)
  expect(cache('song', [1], () => ({}))).toBe(first)
})

it('evicts the oldest value when the values with their long texts exceed its bytes', () => {
  const cache = presentationCache(100_000)
  const make = () => ({})
  const first = cache('first', ['a'.repeat(15_000)], make)
  const second = cache('second', ['b'.repeat(10_000)], make)
  cache('third', ['c'.repeat(10_000)], make)
  expect(cache('second', ['b'.repeat(10_000)], make)).toBe(second)
  expect(cache('first', ['a'.repeat(15_000)], make)).not.toBe(first)
})

it('freezes the values, because their JSON may be reused', () => {
  const { value } = presentationCache(100_000)('song', [], () => ({ key: 'C' }))
  expect(() => Object.assign(value, { key: 'D' })).toThrow(TypeError)
})
