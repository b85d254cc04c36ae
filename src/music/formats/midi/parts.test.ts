import { expect, test } from 'vitest'
import { childText, type Element, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { midiBytes, midiNote, midiText, type TimedMessage } from '../../testing/midi-bytes.ts'
import { notationText } from '../../testing/notation-text.ts'
import { createRepairs } from '../repairs.ts'
import { readMidi } from './read.ts'

const read = (...tracks: TimedMessage[][]) => readMidi(midiBytes(tracks), createRepairs())
const named = (element: Element, name: string): Element[] =>
  element.children.flatMap((one) => [...(one.name === name ? [one] : []), ...named(one, name)])
const track = (name: string, ...keys: number[]): TimedMessage[] => [
  midiText(0, 0x03, name),
  ...keys.flatMap((key, index) => midiNote(index * 480, key)),
]
const clefsOf = (document: ScoreDocument, part = 0) =>
  named(measuresOf(partsOf(document)[part] as Element)[0] as Element, 'clef').map(
    (clef) => `${childText(clef, 'sign')}${childText(clef, 'line')}`,
  )

test.each([
  ['Tenor Saxophone', [44, 46, 48, 49], ['G2']],
  ['Baritone Saxophone', [37, 39, 41, 44], ['G2']],
  ['Alto Saxophone', [49, 50, 51, 52], ['G2']],
  ['Bass Clarinet', [38, 40, 41, 43], ['G2']],
  ['Horn in F', [41, 43, 45, 48], ['G2']],
  ['Double Bass', [28, 31, 33, 36], ['F4']],
  ['Cello', [70, 72, 74, 76], ['G2']],
])('the clef of a part is for its written notes: %s', (name, keys, clefs) => {
  expect(clefsOf(read(track(name, ...keys)))).toEqual(clefs)
})

test.each([
  ['the lower first', [36, 38, 40, 41], [72, 74, 76, 77]],
  ['the higher first', [72, 74, 76, 77], [36, 38, 40, 41]],
])('two tracks of one piano are its hands by their keys: %s', (_, first, second) => {
  const document = read(track('Piano', ...first), track('Piano', ...second))
  expect(notationText(document)).toEqual(['C5q D5q E5q F5q | C2q D2q E2q F2q'])
  expect(clefsOf(document)).toEqual(['G2', 'F4'])
})

test('an organ, which the table gives three clefs, gets two staves for the hands', () => {
  const bass = [36, 38, 40, 41].flatMap((key, index) => midiNote(index * 480, key))
  const document = read([...track('Organ', 72, 74, 76, 77), ...bass])
  expect(clefsOf(document)).toEqual(['G2', 'F4'])
  expect(notationText(document)).toEqual(['C5q D5q E5q F5q | C2q D2q E2q F2q'])
  const hands = read(track('Organ right', 72, 74), track('Organ left', 48, 50))
  expect(partsOf(hands)).toHaveLength(1)
})

test('a file with more parts than a score may have is refused before it is written', () => {
  const channels = Array.from({ length: 63 }, (_, port): TimedMessage[] => [
    [0, 0xff, 0x21, 1, port],
    ...Array.from({ length: 16 }, (__, channel) => midiNote(0, 60, { channel })).flat(),
  ])
  expect(() => read(...channels)).toThrow(/1008 parts, more than 1000/)
})

test('a measure of more than 32 quarter notes is left out with a warning, and thousands of held notes are read', () => {
  const repairs = createRepairs()
  const held = Array.from({ length: 3000 }, (_, index) =>
    midiNote(index * 60, 30 + (index % 60), { length: 480 * 400 }),
  ).flat()
  const document = readMidi(midiBytes([[[0, 0xff, 0x58, 4, 255, 0, 24, 8], ...held]]), repairs)
  expect(repairs.list.map(({ message }) => message).join()).toMatch(
    'The time signature 255/1 is too long, at byte ',
  )
  expect(named(document.root, 'beats').map(({ text }) => text)).toEqual(['4'])
})

test('a part of percussion keeps its kit', () => {
  const document = read([[0, 0xc9, 40], ...midiNote(0, 38, { channel: 9 })])
  expect(named(document.root, 'midi-program').map(({ text }) => text)).toEqual(['41'])
})

test('the name in a file of format 0 is the title, unless it is that of an instrument', () => {
  const titleAndPart = (name: string) => {
    const { root } = readMidi(midiBytes([track(name, 60, 62)], { format: 0 }), createRepairs())
    return [...named(root, 'work-title'), ...named(root, 'part-name')].map(({ text }) => text)
  }
  expect(titleAndPart('Moonlight')).toEqual(['Moonlight', 'Piano'])
  expect(titleAndPart('Violin')).toEqual(['Violin'])
})

test.each([32, 33, 36, 38, 39])(
  'a track named Bass with the program of a bass (%i) is no singer',
  (program) => {
    const document = read([[0, 0xc0, program], ...track('Bass', 28, 31, 33, 36)])
    const sounds = named(document.root, 'instrument-sound').map(({ text }) => text)
    expect(sounds).toEqual([expect.stringMatching(/^(?:pluck|strings)/)])
  },
)
