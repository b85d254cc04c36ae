import { describe, expect, test } from 'vitest'
import { chordNote, miniTimeline, note, notesOf } from '../testing/mini-score.ts'

const slow = '<sound tempo="60"/><attributes><divisions>4</divisions></attributes>'
const tremolo = (marks: number, type = 'single') =>
  `<notations><ornaments><tremolo type="${type}">${marks}</tremolo></ornaments></notations>`
const typed = (type: string) => `<type>${type}</type>`
const modified = (actual: number, normal: number) =>
  `<time-modification><actual-notes>${actual}</actual-notes><normal-notes>${normal}</normal-notes></time-modification>`
const sounding = (content: string) => notesOf(miniTimeline([slow + content]))

describe('a tremolo on one note', () => {
  test('has strokes of an eighth note with one mark, and half of it with each further one', () => {
    expect(sounding(note('C4', 4, typed('quarter') + tremolo(1)))).toEqual(['60@0-0.5', '60@0.5-1'])
    expect(sounding(note('C4', 6, typed('quarter') + tremolo(2)))).toHaveLength(6)
    expect(sounding(note('C4', 16, typed('whole') + tremolo(3)))).toHaveLength(32)
  })

  test('counts the flags of the note as marks', () => {
    expect(sounding(note('C4', 2, typed('eighth') + tremolo(1)))).toEqual(['60@0-0.25', '60@0.25-0.5'])
  })

  test('has as many strokes in a tuplet, which are shorter', () => {
    const divisions = '<attributes><divisions>3</divisions></attributes>'
    const third = note('C4', 2, typed('quarter') + modified(3, 2) + tremolo(1))
    expect(sounding(divisions + third)).toEqual(['60@0-0.333', '60@0.333-0.667'])
  })

  test('is on all notes of its chord', () => {
    expect(sounding(note('C4', 4, typed('quarter') + tremolo(1)) + chordNote('E4', 4))).toEqual([
      '60@0-0.5',
      '64@0-0.5',
      '60@0.5-1',
      '64@0.5-1',
    ])
  })

  test('goes through ties', () => {
    const first = note('C4', 4, `<tie type="start"/>${typed('quarter')}${tremolo(1)}`)
    expect(sounding(first + note('C4', 4, '<tie type="stop"/>'))).toHaveLength(4)
  })

  test('is unmeasured if it says so, or if its strokes would be too fast to play', () => {
    expect(sounding(note('C4', 4, typed('quarter') + tremolo(0, 'unmeasured')))).toHaveLength(12)
    expect(sounding(note('C4', 4, typed('quarter') + tremolo(6)))).toHaveLength(12)
  })
})

describe('a tremolo between two notes', () => {
  test('alternates through the time of both', () => {
    const half = typed('half') + modified(2, 1)
    const content = note('C4', 4, half + tremolo(1, 'start')) + note('G4', 4, half + tremolo(1, 'stop'))
    expect(sounding(content)).toEqual(['60@0-0.5', '67@0.5-1', '60@1-1.5', '67@1.5-2'])
  })

  test('alternates between chords', () => {
    const half = typed('half') + modified(2, 1)
    const content =
      note('C4', 4, half + tremolo(2, 'start')) +
      chordNote('E4', 4, half) +
      note('G4', 4, half + tremolo(2, 'stop')) +
      chordNote('B4', 4, half)
    expect(sounding(content).slice(0, 5)).toEqual([
      '60@0-0.25',
      '64@0-0.25',
      '67@0.25-0.5',
      '71@0.25-0.5',
      '60@0.5-0.75',
    ])
    expect(sounding(content)).toHaveLength(16)
  })
})
