import { expect, test } from 'vitest'
import { type Element, partsOf } from '../../model/document.ts'
import { midiBytes, midiNote, type TimedMessage } from '../../testing/midi-bytes.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { createRepairs } from '../repairs.ts'
import { readMidi } from './read.ts'

const read = (messages: TimedMessage[]) => readMidi(midiBytes([messages]), createRepairs())
const named = (element: Element, name: string): Element[] =>
  element.children.flatMap((one) => [...(one.name === name ? [one] : []), ...named(one, name)])
/** Sixteen notes that alternate in two quarters, after the key signature, and a half note. */
const trill = (fifths: number, from: number, to: number): TimedMessage[] => [
  [0, 0xff, 0x59, 2, fifths & 0xff, 0],
  ...Array.from({ length: 16 }, (_, index) =>
    midiNote(index * 60, index % 2 === 0 ? from : to, { length: 60 }),
  ).flat(),
  ...midiNote(960, 67, { length: 960 }),
]

test.each([
  ['C major, C to D', 0, 72, 74, 'main', 'whole', []],
  ['C major, C to D flat', 0, 72, 73, 'main', 'half', ['flat']],
  ['E major, E to F natural', 4, 76, 77, 'main', 'half', ['natural']],
  ['F major, A to B flat from above', -1, 82, 81, 'upper', 'half', []],
  ['E flat major, B flat to C', -3, 70, 72, 'main', 'whole', []],
])('a trill keeps its upper note and its first note: %s', (_name, fifths, from, to, start, step, marks) => {
  const document = read(trill(fifths, from, to))
  const [mark] = named(document.root, 'trill-mark')
  expect(mark?.attributes).toEqual({ 'start-note': start, 'trill-step': step })
  expect(named(document.root, 'accidental-mark').map(({ text }) => text)).toEqual(marks)
  const keys = timelineOf(document).parts[0]?.notes.map(({ key }) => key) ?? []
  expect(new Set(keys)).toEqual(new Set([from, to, 67]))
})

test('a grace note that was played before the beat is played there again', () => {
  const messages = [
    ...midiNote(0, 60, { length: 930 }),
    ...midiNote(930, 74, { length: 30 }),
    ...midiNote(960, 72, { length: 960 }),
  ]
  const document = read(messages)
  expect(named(partsOf(document)[0] as Element, 'grace').map(({ attributes }) => attributes)).toEqual([
    { 'steal-time-previous': '3.13', slash: 'yes' },
  ])
  const { parts, ticksPerQuarter } = timelineOf(document)
  const starts = parts[0]?.notes.map(({ startTick }) => startTick / ticksPerQuarter) ?? []
  expect(starts.map((start) => start.toFixed(2))).toEqual(['0.00', '1.94', '2.00'])
})
