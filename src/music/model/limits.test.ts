import { describe, expect, test } from 'vitest'
import type { Element } from './document.ts'
import { leaf, node } from './element.ts'
import {
  documentFault,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_TOGETHER,
  MAX_DEPTH,
  MAX_ELEMENTS,
  MAX_NAMES,
} from './limits.ts'

/** A score of one measure with these elements. */
const scoreOf = (content: Element[]) => ({
  root: node('score-partwise', [node('part', [node('measure', content)])]),
})
const attributesOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, '']))
const nested = (depth: number): Element => (depth === 1 ? leaf('a', '') : node('a', [nested(depth - 1)]))

describe('documentFault', () => {
  test('accepts a document at the limits', () => {
    expect(documentFault(scoreOf([nested(MAX_DEPTH - 3)]))).toBeUndefined()
    expect(documentFault(scoreOf([leaf('words', '♩\t\n𝄞', attributesOf(MAX_ATTRIBUTES))]))).toBeUndefined()
    expect(documentFault(scoreOf(Array(MAX_ELEMENTS - 3).fill(leaf('a', ''))))).toBeUndefined()
  })

  test.each<[string, Element[], string]>([
    ['elements', Array(MAX_ELEMENTS).fill(leaf('a', '')), `more than ${MAX_ELEMENTS} elements`],
    ['levels', [nested(MAX_DEPTH)], `nest deeper than ${MAX_DEPTH}`],
    ['attributes of an element', [leaf('a', '', attributesOf(MAX_ATTRIBUTES + 1))], '<a> has more than 128'],
    [
      'attributes',
      Array(MAX_ATTRIBUTES_TOGETHER / 100 + 1).fill(leaf('a', '', attributesOf(100))),
      `more than ${MAX_ATTRIBUTES_TOGETHER} attributes`,
    ],
    ['names', Array.from({ length: MAX_NAMES }, (_, index) => leaf(`n${index}`, '')), 'different names'],
  ])('refuses too many %s', (_what, content, problem) => {
    expect(documentFault(scoreOf(content))).toContain(problem)
  })

  test.each<[string, Element, string]>([
    [
      'a control character in a text',
      leaf('words', 'a\0'),
      '<words> has a character that XML does not allow',
    ],
    ['half of a surrogate pair in an attribute', leaf('words', '', { font: '\ud834' }), '<words> has a char'],
    ['a name with a space', leaf('a b', ''), '"a b" is no name of XML'],
    ['an attribute without a name', leaf('a', '', { '': '' }), '"" is no name of XML'],
    ['text beside elements', { ...node('a', [leaf('b', '')]), text: 'c' }, '<a> has text beside elements'],
    ['a negative duration', node('note', [leaf('duration', -1)]), '<duration> is "-1"'],
  ])('refuses %s', (_what, element, problem) => {
    expect(documentFault(scoreOf([element]))).toContain(problem)
  })

  test('refuses a document that is no part-wise score or has no part', () => {
    expect(documentFault({ root: node('score-timewise', []) })).toContain('<score-timewise>, not <score-part')
    expect(documentFault({ root: node('score-partwise', []) })).toBe('The score has no part')
  })
})
