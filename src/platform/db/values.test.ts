import { expect, it } from 'vitest'
import { checkValues } from './values.ts'

it.each([
  ['undefined', undefined],
  ['a boolean', true],
  ['a date', new Date(0)],
  ['not a number', Number.NaN],
  ['infinity', Number.NEGATIVE_INFINITY],
  ['an object', { id: 'a' }],
  ['a list', ['a']],
  ['a function', () => 'a'],
  ['a symbol', Symbol('a')],
])('refuses %s and names its position', (_, value) => {
  expect(() => checkValues(['a', value])).toThrow(TypeError)
  expect(() => checkValues(['a', value])).toThrow(/^Value 2 of the statement is /)
})

it('takes text, finite numbers, big integers, bytes and null', () => {
  expect(() => checkValues(['', 0, -1.5, 1n, new Uint8Array(1), Buffer.from('a'), null])).not.toThrow()
})
