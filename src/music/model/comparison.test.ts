import { expect, it } from 'vitest'
import { miniScore, note, words } from '../testing/mini-score.ts'
import { compareScores } from './comparison.ts'
import type { ScoreDocument } from './document.ts'
import { measuresOf, partsOf } from './document.ts'

/** Gives parts and measures uuids: those of the measures by the letters of a text. */
function withUuids(document: ScoreDocument, measures: string, parts = 'PQR'): ScoreDocument {
  for (const [place, part] of partsOf(document).entries()) {
    part.uuid = parts.charAt(place)
    for (const [index, measure] of measuresOf(part).entries()) measure.uuid = measures.charAt(index)
  }
  return document
}

const quarter = (pitch: string, duration = 1) => note(pitch, duration, '<type>quarter</type>')

it('finds nothing in the same music, also with another layout and another unit of durations', () => {
  const before = withUuids(miniScore([quarter('C4') + quarter('D4'), quarter('E4')]), 'ab')
  const after = withUuids(
    miniScore([
      `<print new-page="yes"/><attributes><divisions>2</divisions></attributes>${quarter('C4', 2)}${quarter('D4', 2).replace('<note ', '<note default-x="9" ')}`,
      quarter('E4', 2),
    ]),
    'ab',
  )
  expect(compareScores(before, after)).toEqual({ parts: [], measures: [] })
})

it('names the measures and parts whose notes were changed', () => {
  const before = withUuids(miniScore([quarter('C4'), quarter('D4')], [quarter('C3'), quarter('D3')]), 'ab')
  const after = withUuids(
    miniScore([quarter('C4'), quarter('E4') + quarter('F4')], [quarter('C3'), quarter('D3')]),
    'ab',
  )
  expect(compareScores(before, after).measures).toEqual([
    {
      uuid: 'b',
      number: '2',
      change: 'changed',
      parts: [{ part: 'P', name: 'Piano', additions: 2, deletions: 1, hasOtherChanges: false }],
    },
  ])
})

it('notices what is no note', () => {
  const before = withUuids(miniScore([quarter('C4')]), 'a')
  const after = withUuids(miniScore([words('dolce') + quarter('C4')]), 'a')
  expect(compareScores(before, after).measures[0]?.parts).toEqual([
    { part: 'P', name: 'Piano', additions: 0, deletions: 0, hasOtherChanges: true },
  ])
})

it('lists added and removed measures at their places', () => {
  const before = withUuids(miniScore(['x', 'a', 'y', 'b', 'z'].map(() => quarter('C4'))), 'xaybz')
  const after = withUuids(miniScore(['a', 'n', 'b'].map(() => quarter('C4'))), 'anb')
  const { measures } = compareScores(before, after)
  expect(measures.map(({ uuid, number, change }) => `${uuid}${number} ${change}`)).toEqual([
    'x1 removed',
    'y3 removed',
    'n2 added',
    'z5 removed',
  ])
})

it('lists added and removed parts, and not their measures', () => {
  const before = withUuids(miniScore({ measures: [quarter('C4')], name: 'Oboe' }, [quarter('C4')]), 'a', 'OP')
  const after = withUuids(miniScore([quarter('C4')], { measures: [quarter('C4')], name: 'Horn' }), 'a', 'PH')
  expect(compareScores(before, after)).toEqual({
    parts: [
      { uuid: 'H', name: 'Horn', change: 'added' },
      { uuid: 'O', name: 'Oboe', change: 'removed' },
    ],
    measures: [],
  })
})

it('is the mirror image in the other direction', () => {
  const one = withUuids(miniScore([quarter('C4'), quarter('D4'), quarter('E4')]), 'abc')
  const other = withUuids(miniScore([quarter('C4'), quarter('F4') + quarter('G4'), quarter('E4')]), 'abd')
  const there = compareScores(one, other).measures
  const back = compareScores(other, one).measures
  expect(back.map(({ change }) => change).sort()).toEqual(['added', 'changed', 'removed'])
  expect(there.find(({ uuid }) => uuid === 'b')?.parts[0]).toMatchObject({ additions: 2, deletions: 1 })
  expect(back.find(({ uuid }) => uuid === 'b')?.parts[0]).toMatchObject({ additions: 1, deletions: 2 })
})
