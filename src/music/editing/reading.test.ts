import { expect, test } from 'vitest'
import { identifiedScore, placeIn, testUuid } from '../testing/editing-score.ts'
import { chordNote, graceNote, note, rest } from '../testing/mini-score.ts'
import {
  eventAt,
  eventOfNote,
  eventsIn,
  measureIn,
  measuresIn,
  nextPosition,
  partsIn,
  previousPosition,
} from './reading.ts'
import { TICKS_PER_QUARTER } from './values.ts'

const time = '<time><beats>3</beats><beat-type>4</beat-type></time>'
const clefs =
  '<clef number="1"><sign>G</sign><line>2</line></clef><clef number="2"><sign>F</sign><line>4</line></clef>'
const in1 = '<voice>1</voice><type>quarter</type><staff>1</staff>'
const score = identifiedScore(
  [
    `<attributes><divisions>1</divisions><key><fifths>-1</fifths></key>${time}<staves>2</staves>${clefs}</attributes>${
      note('C4', 1, in1) +
      chordNote('E4', 1, in1) +
      graceNote('D4', '', in1) +
      note('F4', 2, `<voice>1</voice><type>half</type><staff>1</staff>`)
    }<backup><duration>3</duration></backup>${rest(3, '<voice>5</voice><staff>2</staff>')}`,
    `${note('G4', 3, '<voice>1</voice><staff>1</staff>')}<backup><duration>3</duration></backup>${note('C3', 3, '<voice>5</voice><staff>2</staff>')}`,
  ],
  [`<attributes><divisions>2</divisions>${time}</attributes>${note('C5', 6)}`, note('D5', 6)],
)

test('parts and measures have their uuids and names', () => {
  expect(partsIn(score).map(({ name, staves }) => [name, staves])).toEqual([
    ['Piano', 2],
    ['Piano', 1],
  ])
  expect(measuresIn(score)).toEqual([
    { uuid: testUuid(3), number: '1' },
    { uuid: testUuid(4), number: '2' },
  ])
})

test('a measure has its length, and clef, key and voices of each staff', () => {
  const info = measureIn(score, testUuid(1), testUuid(4))
  expect(info).toMatchObject({ length: 3 * TICKS_PER_QUARTER, time: { beats: 3, beatType: 4 } })
  expect(info?.staves.map(({ clef, voices }) => [clef.sign, voices])).toEqual([
    ['G', [1]],
    ['F', [1]],
  ])
  expect(info?.staves[0]?.alterations.get('B')).toBe(-1)
  expect(measureIn(score, testUuid(1), testUuid(9))).toBeUndefined()
})

test('the ids of notes are those of engraved pages', () => {
  const id = (index: number) => `${testUuid(3)}-${testUuid(1)}-${index}`
  const events = eventsIn(score, placeIn(score, 0, 0))
  expect(events.map(({ notes }) => notes.map((one) => one.id))).toEqual([[id(0), id(1)], [id(2)], [id(3)]])
  expect(events.map(({ isGrace }) => isGrace)).toEqual([false, true, false])
  expect(eventOfNote(score, id(1))).toEqual(events[0])
  expect(eventOfNote(score, id(4))?.position).toEqual(placeIn(score, 0, 0, 1, 2))
  expect(eventOfNote(score, id(9))).toBeUndefined()
})

test('the event at a time is the one that sounds', () => {
  expect(eventAt(score, placeIn(score, 0, 2))?.position).toEqual(placeIn(score, 0, 1))
  expect(eventAt(score, placeIn(score, 0, 2, 2))).toBeUndefined()
})

test('positions step over bar lines, and through measures without the voice', () => {
  const places = [placeIn(score, 0, 0), placeIn(score, 0, 1), placeIn(score, 1, 0)]
  for (const [index, place] of places.entries()) {
    expect(nextPosition(score, place)).toEqual(places[index + 1])
    expect(previousPosition(score, place)).toEqual(places[index - 1])
  }
  expect(nextPosition(score, placeIn(score, 0, 0, 2))).toEqual(placeIn(score, 1, 0, 2))
})
