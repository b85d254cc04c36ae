import { expect, it } from 'vitest'
import { sortKey } from './sort-key.ts'

it.each([
  ['case', 'Für Elise', 'FÜR ELISE'],
  ['diacritics', 'Dvořák', 'Dvorak'],
  ['the difference between composed and decomposed forms', 'é', 'e\u0301'],
  ['compatibility forms', 'ﬁnale Ⅳ', 'finale IV'],
  ['the difference between ß and SS', 'Straße', 'STRASSE'],
  ['the difference between the two small sigmas', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['the dot of the capital I', 'İzmir', 'izmir'],
  ['repeated white space', '  The\u00a0 Art\n\tof  Fugue ', 'The Art of Fugue'],
])('ignores %s', (_, one, other) => {
  expect(sortKey(one)).toBe(sortKey(other))
})

it('keeps digits, symbols and letters of all scripts', () => {
  expect(
    new Set(['Sonata 1', 'Sonata 2', 'Соната 1', '奏鳴曲', '♯1', '#1', 'か', 'が', 'कि', 'का'].map(sortKey))
      .size,
  ).toBe(10)
})

it('returns the key of a key unchanged', () => {
  for (const text of ['Für Elise', 'Straße', 'İzmir', '  a  b ', 'ﬁ'])
    expect(sortKey(sortKey(text))).toBe(sortKey(text))
})

it('has at most 200 characters and does not split a surrogate pair', () => {
  expect(sortKey('a'.repeat(500))).toHaveLength(200)
  expect(Array.from(sortKey('𝄞'.repeat(300)))).toHaveLength(200)
  expect(sortKey(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199))
})

it('is fast for a very long text', () => {
  expect(sortKey(`${'x '.repeat(500_000)}`)).toHaveLength(199)
})
