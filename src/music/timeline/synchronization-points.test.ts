import { expect, test } from 'vitest'
import { measuresOf, partsOf } from '../model/document.ts'
import { synchronizationPointsOf } from './synchronization-points.ts'
import { miniScore, note } from '../testing/mini-score.ts'
import { timelineOf } from './timeline.ts'

test('there is one point for each time that a measure is played, and one for the end', () => {
  const backward = '<barline><repeat direction="backward"/></barline>'
  const score = miniScore([`<sound tempo="70"/>${note('C4', 4)}`, note('C4', 4) + backward, note('C4', 4)])
  for (const part of partsOf(score)) {
    for (const [index, measure] of measuresOf(part).entries()) measure.uuid = `m${index + 1}`
  }
  expect(synchronizationPointsOf(timelineOf(score))).toEqual([
    { type: 'measure', measureUuid: 'm1', time: 0 },
    { type: 'measure', measureUuid: 'm2', time: 3.429 },
    { type: 'measure', measureUuid: 'm1', time: 6.857 },
    { type: 'measure', measureUuid: 'm2', time: 10.286 },
    { type: 'measure', measureUuid: 'm3', time: 13.714 },
    { type: 'end', time: 17.143 },
  ])
})

test('measures without a uuid have no point', () => {
  expect(synchronizationPointsOf(timelineOf(miniScore([note('C4', 4)])))).toEqual([{ type: 'end', time: 2 }])
})
