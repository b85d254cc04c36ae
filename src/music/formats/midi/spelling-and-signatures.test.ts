import { expect, test } from 'vitest'
import { child, childText, type Element, measuresOf, partsOf } from '../../model/document.ts'
import { midiBytes, midiNote, type TimedMessage } from '../../testing/midi-bytes.ts'
import { notationText } from '../../testing/notation-text.ts'
import { createRepairs } from '../repairs.ts'
import { readMidi } from './read.ts'

const QUARTER = 480
const read = (...messages: TimedMessage[]) => readMidi(midiBytes([messages]), createRepairs())
const key = (quarter: number, fifths: number): TimedMessage => [
  quarter * QUARTER,
  0xff,
  0x59,
  2,
  fifths & 0xff,
  0,
]
const meter = (quarter: number, beats: number): TimedMessage => [
  quarter * QUARTER,
  0xff,
  0x58,
  4,
  beats,
  2,
  24,
  8,
]
/** Quarter notes one after the other. */
const melody = (keys: readonly number[]) => keys.flatMap((one, index) => midiNote(index * QUARTER, one))
const measuresIn = (...messages: TimedMessage[]) => measuresOf(partsOf(read(...messages))[0] as Element)

test.each([
  ['up or down', [69, 68, 67, 67, 69, 68, 69, 69], ['A4q Ab4q G4q G4q', 'A4q G#4q A4q A4q']],
  ['after a repeated note', [67, 68, 68, 69, 69, 68, 68, 67], ['G4q G#4q G#4q A4q', 'A4q Ab4q Ab4q G4q']],
  [
    'over a barline',
    [60, 60, 60, 68, 69, 69, 69, 68, 67],
    ['C4q C4q C4q G#4q', 'A4q A4q A4q Ab4q', 'G4q rq rh'],
  ],
])('a note that moves on by a semitone is a step away: %s', (_, keys, measures) => {
  expect(notationText(read(key(0, 0), ...melody(keys)))).toEqual(measures)
})

test('a note of a chord that moves on by a semitone is a step away from the next chord', () => {
  const chord = (quarter: number, ...keys: number[]) =>
    keys.flatMap((one) => midiNote(quarter * QUARTER, one, { length: 2 * QUARTER }))
  expect(notationText(read(key(0, 0), ...chord(0, 60, 68), ...chord(2, 59, 67)))).toEqual(['Ab4+C4h G4+B3h'])
})

test.each([
  ['that fits the notes before it holds from the beginning', [63, 65, 67, 68, 70, 72, 74, 75], ['-3']],
  [
    'that does not fit the notes before it begins at its place',
    [64, 66, 68, 69, 71, 73, 75, 76],
    ['3', '-3'],
  ],
])('a late first key signature %s', (_, keys, fifths) => {
  const keyOf = (measure: Element) => child(child(measure, 'attributes') ?? measure, 'key')
  const shown = measuresIn(key(4, -3), ...melody(keys)).flatMap((measure) => keyOf(measure) ?? [])
  expect(shown.map((one) => childText(one, 'fifths'))).toEqual(fifths)
})

test('a measure that the next time signature cuts short has no number of its own', () => {
  const measures = measuresIn(meter(0, 4), meter(6, 3), ...melody([60, 62, 64, 65, 67, 65, 64, 62, 60]))
  expect(measures.map(({ attributes }) => attributes)).toEqual([
    { number: '1' },
    { number: 'X1', implicit: 'yes' },
    { number: '2' },
  ])
})
