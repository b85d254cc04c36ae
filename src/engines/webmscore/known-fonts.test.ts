import { expect, test } from 'vitest'
import { leaf, node } from '../../music/model/element.ts'
import { withKnownFonts } from './known-fonts.ts'

test.each([
  ['Edwin', 'Edwin'],
  ['freeserif', 'FreeSerif'],
  ['FreeSans, serif', 'FreeSans'],
  ['Helvetica Neue', 'FreeSans'],
  ['Unknown,sans-serif', 'FreeSans'],
  ['Jazz Text', 'MuseJazz Text'],
  ['Times New Roman', undefined],
  ['Times New Roman,serif', undefined],
  ['Maestro', undefined],
  ['Leland Text', undefined],
  ['', undefined],
])('prints a text in the font %j with %j of the engine', (family, font) => {
  const words = leaf('words', 'box', { 'font-family': family, 'font-size': '12' })
  const [changed] = withKnownFonts(node('direction-type', [words])).children
  const expected = { 'font-size': '12', ...(font === undefined ? {} : { 'font-family': font }) }
  expect({ ...changed?.attributes }).toEqual(expected)
})

test('does not copy elements without fonts', () => {
  const measure = node('measure', [node('note', [leaf('duration', 1)])], { number: '1' })
  expect(withKnownFonts(measure)).toBe(measure)
})
