import { expect, test } from 'vitest'
import { childText, type Element, measuresOf, partsOf } from '../../model/document.ts'
import { midiBytes, midiNote, midiText, type TimedMessage } from '../../testing/midi-bytes.ts'
import { notationText } from '../../testing/notation-text.ts'
import { createRepairs } from '../repairs.ts'
import { readMidi } from './read.ts'

const read = (...tracks: TimedMessage[][]) => readMidi(midiBytes(tracks), createRepairs())
const named = (element: Element, name: string): Element[] =>
  element.children.flatMap((one) => [...(one.name === name ? [one] : []), ...named(one, name)])
const key = (fifths: number): TimedMessage => [0, 0xff, 0x59, 2, fifths & 0xff, 0]
const meter = (tick: number, beats: number): TimedMessage => [tick, 0xff, 0x58, 4, beats, 2, 24, 8]
const notes = (count: number, channel = 0) =>
  Array.from({ length: count }, (_, index) => midiNote(index * 480, 60 + (index % 3), { channel })).flat()
const violin = [midiText(0, 0x03, 'Violin'), ...notes(4)]
const clarinet = [midiText(0, 0x03, 'Clarinet in B♭'), ...notes(4, 1)]
const drums = [midiText(0, 0x03, 'Drums'), ...notes(4, 9)]
const fifths = (...tracks: TimedMessage[][]) =>
  partsOf(read(...tracks)).map((part) => named(part, 'fifths').map(({ text }) => text))

test('the key signatures are those of the first track that has any', () => {
  expect(fifths([key(-3)], violin, [key(0), ...drums])).toEqual([['-3'], []])
  expect(fifths([], [key(0), ...drums], [key(2), ...violin])).toEqual([[], ['2']])
})

test('the written key of a transposing part moves no other part', () => {
  expect(fifths([], [key(3), ...clarinet], [key(1), ...violin])).toEqual([['3'], ['1']])
  expect(fifths([key(1)], violin, [key(3), ...clarinet])).toEqual([['1'], ['3']])
})

test('a time signature of a later track adds no measures', () => {
  const [part] = partsOf(read([meter(0, 3)], [meter(480, 4), ...violin]))
  expect(named(part as Element, 'beats').map(({ text }) => text)).toEqual(['3'])
})

test('a first time signature that stands late holds from the beginning', () => {
  const document = read([meter(480 * 4, 3)], [midiText(0, 0x03, 'Violin'), ...notes(7)])
  const measures = measuresOf(partsOf(document)[0] as Element)
  expect(notationText(document).map((text) => text.split(' ').length)).toEqual([1, 3, 3])
  expect(measures[0]?.attributes.implicit).toBe('yes')
  expect(named(partsOf(document)[0] as Element, 'time').map((time) => childText(time, 'beats'))).toEqual([
    '3',
  ])
})
