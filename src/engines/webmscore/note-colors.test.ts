import { expect, test } from 'vitest'
import { child, childrenNamed, measuresOf, partsOf, type ScoreDocument } from '../../music/model/document.ts'
import { identify } from '../../music/model/uuids.ts'
import { chordNote, miniScore, note, rest } from '../../music/testing/mini-score.ts'
import { partIdsOf } from './measure-ids.ts'
import { withNoteColors } from './note-colors.ts'
import { withNoteIds } from './note-marks.ts'

const notesIn = (document: ScoreDocument) =>
  partsOf(document)
    .flatMap(measuresOf)
    .flatMap((measure) => childrenNamed(measure, 'note'))
const colorsIn = (document: ScoreDocument) => notesIn(document).map(({ attributes }) => attributes.color)

test('each note and rest of all parts gets a color of its own', () => {
  const score = miniScore([note('C4', 2) + chordNote('E4', 2) + rest(2), rest(4)], [note('C3', 4)])
  expect(colorsIn(withNoteColors(score).document)).toEqual([
    '#000001',
    '#000002',
    '#000003',
    '#000004',
    '#000005',
  ])
  expect(colorsIn(score)).toEqual(new Array(5).fill(undefined))
})

test('no color is one that the document has', () => {
  const words = '<direction><direction-type><words color="#000002">dolce</words></direction-type></direction>'
  const score = miniScore([words + note('C4', 4, '', 'color="#FF000005"'), note('C4', 4)])
  expect(colorsIn(withNoteColors(score).document)).toEqual(['#FF000003', '#000004'])
  expect(withNoteColors(miniScore([words + note('C4', 4), note('C4', 4)])).colors.first).toBe(3)
})

test('the color of a notehead counts, and keeps its opacity', () => {
  const head = (color: string) => `<notehead color="${color}">normal</notehead>`
  const score = miniScore([
    note('C4', 1, head('#80FF0000'), 'color="#00FF00"') +
      note('C4', 1, head('red'), 'color="#00FF00"') +
      note('C4', 1, '', 'color="green"'),
  ])
  const { document, colors } = withNoteColors(score)
  expect(colors).toEqual({ first: 1, own: { 0: '#ff0000', 1: '#00ff00' } })
  expect(colorsIn(document)).toEqual(['#80000001', '#000002', '#000003'])
  expect(notesIn(document).map((one) => child(one, 'notehead')?.attributes.color)).toEqual([
    '#80000001',
    '#000002',
    undefined,
  ])
})

/** Two parts with three measures; the second measure of the first part is empty. */
function duo() {
  const score = miniScore(
    [note('C4', 2, '', 'color="#0000FF"') + rest(2), '', note('D4', 4)],
    [rest(4), rest(4)],
  )
  let count = 0
  identify(score, () => ['flute', 'oboe', 'm1', 'm2', 'm3'][count++] ?? '')
  return score
}

const glyph = (kind: string, fill: string) =>
  `<path class="${kind}"${fill && ` fill="${fill}"`} transform="matrix(1,0,0,1,2,3)" d="M0,0"/>`

test.each([
  ['a note of a color', 'Note', '#000001', '<path id="m1-flute-0" class="Note" data-part="flute" transform='],
  ['a rest', 'Rest', '#000002', '<path id="m1-flute-1" class="Rest" data-part="flute" transform='],
  [
    'a note after an empty measure',
    'Note',
    '#000003',
    '<path id="m3-flute-0" class="Note" data-part="flute" tr',
  ],
  ['a note of the last part', 'Rest', '#000005', '<path id="m2-oboe-0" class="Rest" data-part="oboe" tr'],
])('marks %s, and removes the color', (_, kind, fill, expected) => {
  const score = duo()
  const own = {}
  expect(withNoteIds(glyph(kind, fill), partIdsOf(score), { first: 1, own })).toContain(expected)
})

test('gives a note the color of the document back', () => {
  const score = duo()
  const { colors } = withNoteColors(score)
  expect(withNoteIds(glyph('Note', '#000001'), partIdsOf(score), colors)).toBe(
    '<path id="m1-flute-0" class="Note" data-part="flute" fill="#0000ff" transform="matrix(1,0,0,1,2,3)" d="M0,0"/>',
  )
})

test('marks nothing without a color of a note, and a second glyph of a note without an id', () => {
  const marked = (svg: string) => withNoteIds(svg, partIdsOf(duo()), { first: 1, own: {} })
  for (const svg of [
    glyph('Note', ''),
    glyph('Note', '#000006'),
    glyph('Stem', '#000001'),
    glyph('Text', '#000001'),
  ])
    expect(marked(svg)).toBe(svg)
  expect(marked(glyph('Note', '#000001') + glyph('Note', '#000001')).match(/ id=/g)).toHaveLength(1)
})
