import { expect, test } from 'vitest'
import { miniScore, rest } from '../../music/testing/mini-score.ts'
import { identify } from '../../music/model/uuids.ts'
import { measuresOf, partsOf } from '../../music/model/document.ts'
import { partIdsOf, withMeasureIds } from './measure-ids.ts'

const attributes = (inside: string) => `<attributes>${inside}</attributes>`
const drum = '<staff-details><staff-lines>1</staff-lines></staff-details>'

/** A flute, a piano and a drum of one line, two measures each. */
function trio() {
  const score = miniScore(
    [rest(4), rest(4)],
    [attributes('<staves>2</staves>') + rest(4), rest(4)],
    [attributes(drum) + rest(4), rest(4)],
  )
  let count = 0
  identify(score, () => `uuid-${count++}`)
  return score
}

const pageWith = (heights: readonly number[]) =>
  `<svg>${heights.map((y) => `<polyline class="StaffLines" points="10,${y} 110,${y}"/>`).join('')}</svg>`
const staff = (top: number) => [0, 1, 2, 3, 4].map((line) => top + line * 20)
const boxes = [10, 60].map((x) => ({ page: 0, x, y: 100, sx: 50, sy: 400 }))
const rectsIn = (svg: string) =>
  [
    ...svg.matchAll(
      /<rect id="([^"]*)" class="Measure" data-part="([^"]*)" x="(\d+)" y="(\d+)" width="50" height="(\d+)"/g,
    ),
  ].map(([, id, part, x, y, height]) => [id, part, ...[x, y, height].map(Number)])

test('marks each measure of each part on its staves, with the uuids of both', () => {
  const score = trio()
  const svg = pageWith([...staff(100), ...staff(200), ...staff(300), 500])
  const [flute, piano, drums] = partsOf(score)
  const at = (part: typeof flute, index: number) => [part && measuresOf(part)[index]?.uuid, part?.uuid]
  expect(rectsIn(withMeasureIds(svg, 0, boxes, partIdsOf(score)))).toEqual([
    [...at(flute, 0), 10, 100, 80],
    [...at(piano, 0), 10, 200, 180],
    [...at(drums, 0), 10, 475, 50],
    [...at(flute, 1), 60, 100, 80],
    [...at(piano, 1), 60, 200, 180],
    [...at(drums, 1), 60, 475, 50],
  ])
})

test('marks a measure on all staves if the engine has hidden some', () => {
  const rects = rectsIn(withMeasureIds(pageWith(staff(100)), 0, boxes, partIdsOf(trio())))
  expect(rects.map(([, , x, y, height]) => [x, y, height])).toEqual([
    ...new Array(3).fill([10, 100, 400]),
    ...new Array(3).fill([60, 100, 400]),
  ])
})

test('marks only the measures of the page, and none if the engine has joined some', () => {
  const ids = partIdsOf(trio())
  const svg = pageWith(staff(100))
  expect(rectsIn(withMeasureIds(svg, 1, boxes, ids))).toEqual([])
  expect(withMeasureIds(svg, 0, boxes.slice(1), ids)).toBe(svg)
})
