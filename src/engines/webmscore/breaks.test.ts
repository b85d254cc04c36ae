import { expect, test } from 'vitest'
import { writeMusicXml } from '../../music/formats/musicxml/write.ts'
import { miniScore, rest } from '../../music/testing/mini-score.ts'
import { breaksOf, breaksToKeep, withoutBreaks } from './breaks.ts'

/** The places of measures, from the numbers of measures of each system of each page. */
const set = (...pages: number[][]) =>
  pages.flatMap((systems, page) =>
    systems.flatMap((measures, y) => new Array<object>(measures).fill({}).map(() => ({ page, y }))),
  )

const print = (attributes: string) => `<print ${attributes}/>${rest(4)}`

test('reads the breaks of all parts', () => {
  const score = miniScore(
    [rest(4), print('new-system="yes"'), rest(4), print('new-system="no"')],
    [rest(4), rest(4), print('page-number="2" new-page="yes"'), rest(4)],
  )
  expect(breaksOf(score)).toEqual({ systems: [1, 2], pages: [2], measures: 4 })
})

test.each([
  ['all, if each line and page fits', [4, 8], [8], [[4, 4], [4]], 'all'],
  ['none, if the last measure of a line stands alone', [8, 16], [], [[7, 1, 7, 1, 8]], 'none'],
  ['all, if a line is divided in two halves', [4, 8], [], [[2, 2, 4, 1]], 'all'],
  ['all, if a section has several lines', [9], [], [[4, 4, 1, 3]], 'all'],
  ['all, if only the last line is divided', [4], [], [[4, 4, 1]], 'all'],
  [
    'those of systems, if the last system of a page stands alone',
    [4, 8, 12, 16],
    [12],
    [[4, 4], [4], [4, 2]],
    'systems',
  ],
  ['all, if a page is divided in two halves', [4, 8, 12, 16], [16], [[4, 4], [4, 4], [4]], 'all'],
] as const)('keeps of the breaks %s', (_, systems, pages, places, kept) => {
  const places_ = set(...places.map((page) => [...page]))
  expect(breaksToKeep({ systems, pages, measures: places_.length }, places_)).toBe(kept)
})

test('compares the numbers of lines if the engine has joined measures', () => {
  const keep = (systems: number[], lines: number[]) =>
    breaksToKeep({ systems, pages: [], measures: 100 }, set(lines))
  expect(keep([8, 16], [4, 3, 5])).toBe('all')
  expect(keep([8, 16], [4, 1, 3, 5])).toBe('none')
  expect(keep([50], [4, 3, 5, 6, 7, 8])).toBe('all')
})

test('removes all breaks, or turns breaks of pages into breaks of systems', () => {
  const score = miniScore([
    print('new-system="yes" staff-spacing="9"'),
    `<print new-page="yes"><page-layout/></print>${rest(4)}`,
    print('new-page="yes" new-system="yes"'),
  ])
  const printsIn = (xml: string) => xml.match(/<print[^>]*>/g)
  const xml = writeMusicXml(score)
  expect(printsIn(withoutBreaks(xml, 'none'))).toEqual(['<print staff-spacing="9"/>', '<print>', '<print/>'])
  expect(printsIn(withoutBreaks(xml, 'systems'))).toEqual([
    '<print new-system="yes" staff-spacing="9"/>',
    '<print new-system="yes">',
    '<print new-system="yes"/>',
  ])
})
