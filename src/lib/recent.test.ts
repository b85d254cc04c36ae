import { expect, it } from 'vitest'
import { recentValues } from './recent.ts'

it('gives the same value as long as every input is the same', () => {
  const recent = recentValues(10)
  const first = recent('song', ['C', 4, null], () => ({}))
  expect(recent('song', ['C', 4, null], () => ({}))).toBe(first)
})

it.each([[['C', 4]], [['C', 4, null, 0]], [['C', 5, null]], [['C', 4, undefined]]])(
  'makes another one of the inputs %j',
  (inputs) => {
    const recent = recentValues(10)
    const first = recent('song', ['C', 4, null], () => ({}))
    expect(recent('song', inputs, () => ({}))).not.toBe(first)
  },
)

it('tells names apart', () => {
  const recent = recentValues(10)
  const first = recent('song', [1], () => ({}))
  expect(recent('dance', [1], () => ({}))).not.toBe(first)
  expect(recent('song', [1], () => ({}))).toBe(first)
})

it('keeps no more than it may, and lets those go that came first', () => {
  const recent = recentValues(2)
  const [first, second] = ['first', 'second'].map((name) => recent(name, [], () => ({})))
  recent('third', [], () => ({}))
  expect(recent('second', [], () => ({}))).toBe(second)
  expect(recent('first', [], () => ({}))).not.toBe(first)
})
