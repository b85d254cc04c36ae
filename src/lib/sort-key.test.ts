import { expect, it } from 'vitest'
import { sortKey } from './sort-key.ts'

it.each([
  ['case', 'Für Elise', 'FÜR ELISE'],
  ['diacritics', 'Dvořák', 'Dvorak'],
  ['composed and decomposed forms', 'é', 'e\u0301'],
  ['compatibility forms', 'ﬁnale Ⅳ', 'finale IV'],
  ['sharp s', 'Straße', 'STRASSE'],
  ['the two small sigmas', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
  ['the dotted capital I', 'İzmir', 'izmir'],
  ['white space', '  The\u00a0 Art\n\tof  Fugue ', 'The Art of Fugue'],
])('does not tell %s apart', (_, one, other) => {
  expect(sortKey(one)).toBe(sortKey(other))
})

it('keeps what makes two titles differ', () => {
  expect(
    new Set(['Sonata 1', 'Sonata 2', 'Соната 1', '奏鳴曲', '♯1', '#1', 'か', 'が', 'कि', 'का'].map(sortKey)).size,
  ).toBe(10)
})

it('is its own key', () => {
  for (const text of ['Für Elise', 'Straße', 'İzmir', '  a  b ', 'ﬁ'])
    expect(sortKey(sortKey(text))).toBe(sortKey(text))
})

it('has 200 characters at most and cuts none of them in two', () => {
  expect(sortKey('a'.repeat(500))).toHaveLength(200)
  expect(Array.from(sortKey('𝄞'.repeat(300)))).toHaveLength(200)
  expect(sortKey(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199))
})

it('is quick for a text without end', () => {
  expect(sortKey(`${'x '.repeat(500_000)}`)).toHaveLength(199)
})
