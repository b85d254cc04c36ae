import { expect, it } from 'vitest'
import { matchesWords } from './search.ts'

it.each([
  ['', true],
  ['etude', true],
  ['ETUDE bow', true],
  ['étude', true],
  ['waltz', false],
  ['etude waltz', false],
])('the words “%s” match: %s', (words, expected) => {
  expect(matchesWords(words, { title: 'Étude no. 3', sharingDescription: 'For the bow arm' })).toBe(expected)
})
