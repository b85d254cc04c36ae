import { expect, it } from 'vitest'
import { clefFor, namedPlace, staffNotes } from './places.ts'

it('places notes on the staff of each clef, whose lowest line is 0', () => {
  const middleC = (clef: Parameters<typeof staffNotes>[1]) => staffNotes(['C4'], clef)[0]?.place
  expect([middleC('treble'), middleC('alto'), middleC('tenor'), middleC('bass')]).toEqual([-2, 4, 6, 10])
  expect(staffNotes(['E4', 'Bb4', 'F##5'], 'treble')).toEqual([
    { place: 0, accidental: undefined },
    { place: 4, accidental: 'flat' },
    { place: 8, accidental: 'doubleSharp' },
  ])
})

it('chooses the bass clef for notes that are below middle C on average', () => {
  expect(clefFor(['E4', 'B3'])).toBe('treble')
  expect(clefFor(['C3', 'D4'])).toBe('bass')
  expect(clefFor([])).toBe('treble')
})

it('names lines and spaces from below in the staff, and away from it outside', () => {
  const names = [-4, -3, -2, -1, 0, 1, 8, 9, 10, 11].map(namedPlace)
  expect(names.map(({ kind, number }) => `${kind} ${number}`)).toEqual([
    'lineBelow 2',
    'spaceBelow 1',
    'lineBelow 1',
    'justBelow 0',
    'line 1',
    'space 1',
    'line 5',
    'justAbove 0',
    'lineAbove 1',
    'spaceAbove 1',
  ])
})
