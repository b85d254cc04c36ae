import { expect, it } from 'vitest'
import { presentationCache } from './presentation-cache.ts'

it('returns the same cached JSON while every input is the same', () => {
  const cache = presentationCache(10)
  const first = cache('song', ['C', 4, null], () => ({}))
  expect(cache('song', ['C', 4, null], () => ({}))).toBe(first)
})

it.each([[['C', 4]], [['C', 4, null, 0]], [['C', 5, null]], [['C', 4, undefined]]])(
  'makes a new value for the inputs %j',
  (inputs) => {
    const cache = presentationCache(10)
    const first = cache('song', ['C', 4, null], () => ({}))
    expect(cache('song', inputs, () => ({}))).not.toBe(first)
  },
)

it('caches one value for each name', () => {
  const cache = presentationCache(10)
  const first = cache('song', [1], () => ({}))
  expect(cache('dance', [1], () => ({}))).not.toBe(first)
  expect(cache('song', [1], () => ({}))).toBe(first)
})

it('evicts the oldest name when it is full', () => {
  const cache = presentationCache(2)
  const [first, second] = ['first', 'second'].map((name) => cache(name, [], () => ({})))
  cache('third', [], () => ({}))
  expect(cache('second', [], () => ({}))).toBe(second)
  expect(cache('first', [], () => ({}))).not.toBe(first)
})

it('freezes the values, because their JSON may be reused', () => {
  const { value } = presentationCache(1)('song', [], () => ({ key: 'C' }))
  expect(() => Object.assign(value, { key: 'D' })).toThrow(TypeError)
})
