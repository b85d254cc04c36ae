import { describe, expect, test } from 'vitest'
import { identify } from '../model/uuids.ts'
import { chordNote, graceNote, miniScore, note, rest, words } from '../testing/mini-score.ts'
import { noteTimesOf } from './note-times.ts'

const start = '<tie type="start"/>'
const stop = '<tie type="stop"/>'
const tempo = (perMinute: number) => words('', `<sound tempo="${perMinute}"/>`)

/** `start-end key measure.index…` of the notes of a part of a score at 60 quarter notes in a minute. */
function times(measures: readonly string[], part = 0): string[] {
  const score = miniScore([tempo(60) + measures[0], ...measures.slice(1)])
  return (noteTimesOf(score).parts[part]?.notes ?? []).map(({ start, end, key, places }) =>
    [`${start}-${end}`, key, ...places.map(({ measure, index }) => `${measure}.${index}`)].join(' '),
  )
}

test('a note has its seconds and its place among the notes and rests of its measure', () => {
  expect(times([note('C4', 1) + rest(1) + note('D4', 2) + chordNote('F4', 2), note('E4', 4)])).toEqual([
    '0-1 60 0.0',
    '2-4 62 0.2',
    '2-4 65 0.3',
    '4-8 64 1.0',
  ])
})

test('the tempo counts', () => {
  expect(times([note('C4', 1) + tempo(90) + note('D4', 3)])).toEqual(['0-1 60 0.0', '1-3 62 0.1'])
})

describe('ties', () => {
  test('join all notes of the chain', () => {
    expect(times([note('C4', 4, start), note('C4', 4, stop + start), note('C4', 2, stop) + rest(2)])).toEqual(
      ['0-10 60 0.0 1.0 2.0'],
    )
  })

  test('name the same notes again in a repeat', () => {
    const again = '<barline><repeat direction="backward"/></barline>'
    expect(times([note('C4', 4, start), note('C4', 4, stop) + again])).toEqual([
      '0-8 60 0.0 1.0',
      '8-16 60 0.0 1.0',
    ])
  })
})

test('grace notes have times of their own', () => {
  expect(times([note('C4', 2) + graceNote('E4', 'slash="yes"') + note('D4', 2)])).toEqual([
    '0-2 60 0.0',
    '2-2.125 64 0.1',
    '2.125-4 62 0.2',
  ])
})

test('a note with an ornament sounds once', () => {
  const trill = '<notations><ornaments><trill-mark/></ornaments></notations>'
  expect(times([note('C4', 4, trill)])).toEqual(['0-4 60 0.0'])
})

test('a note that is doubled at the octave is one note with two keys', () => {
  const doubled = '<attributes><transpose><chromatic>0</chromatic><double/></transpose></attributes>'
  expect(times([doubled + note('C4', 4)])).toEqual(['0-4 48 0.0', '0-4 60 0.0'])
})

test('notes that are not printed at their place are left out: those of measure repeats and chord symbols', () => {
  const repeat = (type: string) =>
    `<attributes><measure-style><measure-repeat type="${type}">1</measure-repeat></measure-style></attributes>`
  const symbol = '<harmony><root><root-step>C</root-step></root><kind>major</kind></harmony>'
  expect(times([symbol + note('C4', 4), repeat('start') + rest(4), repeat('stop') + note('D4', 4)])).toEqual([
    '0-4 60 0.0',
    '8-12 62 2.0',
  ])
})

test('cue notes are silent, and hidden notes sound', () => {
  expect(times([note('C4', 2, '<cue/>') + note('D4', 2, '', 'print-object="no"')])).toEqual(['2-4 62 0.1'])
})

test('all parts refer to the same list of measures, also a part that ends earlier', () => {
  const score = miniScore([note('C4', 4)], [note('E4', 4), note('F4', 4)])
  let count = 0
  identify(score, () => `id-${++count}`)
  expect(noteTimesOf(score)).toEqual({
    duration: 4,
    measures: ['id-3', 'id-4'],
    parts: [
      { uuid: 'id-1', notes: [{ start: 0, end: 2, key: 60, places: [{ measure: 0, index: 0 }] }] },
      {
        uuid: 'id-2',
        notes: [
          { start: 0, end: 2, key: 64, places: [{ measure: 0, index: 0 }] },
          { start: 2, end: 4, key: 65, places: [{ measure: 1, index: 0 }] },
        ],
      },
    ],
  })
})
