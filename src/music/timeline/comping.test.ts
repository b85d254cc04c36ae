import { describe, expect, test } from 'vitest'
import { chordNote, direction, miniScore, miniTimeline, note, notesOf } from '../testing/mini-score.ts'
import type { PlaybackOptions } from './playback-options.ts'
import { timelineOf } from './timeline.ts'

const root = (step: string, alter = 0) =>
  `<root><root-step>${step}</root-step><root-alter>${alter}</root-alter></root>`
const symbol = (step: string, kind = 'major', more = '', attributes = '') =>
  `<harmony ${attributes}>${root(step)}<kind>${kind}</kind>${more}</harmony>`
const bass = (step: string) => `<bass><bass-step>${step}</bass-step></bass>`
const degree = (value: number, alter: number, type: string) =>
  `<degree><degree-value>${value}</degree-value><degree-alter>${alter}</degree-alter><degree-type>${type}</degree-type></degree>`
const melody = note('C5', 4)

/** The notes of the chord symbols, the last part, if they are played. */
function chords(measures: readonly string[], options: PlaybackOptions = {}): string[] {
  const timeline = timelineOf(miniScore(measures), options)
  const place = timeline.parts.findIndex(({ name }) => name === 'Chord symbols')
  return place < 0 ? [] : notesOf(timeline, place)
}
/** The keys of a chord symbol. */
const keysOf = (harmony: string) => chords([harmony + melody]).map((one) => Number(one.split('@')[0]))

describe('a chord symbol', () => {
  test.each([
    ['C', symbol('C'), [48, 55, 60, 64]],
    ['Dm7', symbol('D', 'minor-seventh'), [50, 57, 60, 62, 65]],
    ['F♯ diminished', `<harmony>${root('F', 1)}<kind>diminished</kind></harmony>`, [42, 57, 60, 66]],
    ['G13', symbol('G', 'dominant-13th'), [43, 57, 59, 64, 65]],
    ['C/E', symbol('C', 'major', bass('E')), [40, 55, 60, 64]],
    ['C in second inversion', symbol('C', 'major', '<inversion>2</inversion>'), [43, 55, 60, 64]],
    ['C with an added ninth', symbol('C', 'major', degree(9, 0, 'add')), [48, 55, 60, 62, 64]],
    ['C7 with a flat fifth', symbol('C', 'dominant', degree(5, -1, 'alter')), [48, 58, 60, 64, 66]],
    ['C7 with an added second', symbol('C', 'dominant', degree(2, 0, 'add')), [48, 58, 60, 62, 64]],
    ['C7 with an added fourth', symbol('C', 'dominant', degree(4, 0, 'add')), [48, 58, 60, 64, 65]],
    ['C13 without a fifth', symbol('C', 'dominant-13th', degree(5, 0, 'subtract')), [48, 57, 58, 62, 64]],
    ['C9 with a flat fifth', symbol('C', 'dominant-ninth', degree(5, -1, 'alter')), [48, 58, 62, 64, 66]],
    ['C without a third', symbol('C', 'major', degree(3, 0, 'subtract')), [48, 55, 60]],
  ])('%s has its bass from E2 and its notes from G3', (_, harmony, keys) => {
    expect(keysOf(harmony)).toEqual(keys)
  })

  test('may be a numeral in the key', () => {
    const key = '<attributes><key><fifths>2</fifths></key></attributes>'
    const five = '<harmony><numeral><numeral-root>5</numeral-root></numeral><kind>dominant</kind></harmony>'
    expect(keysOf(key + five)).toEqual(keysOf(symbol('A', 'dominant')))
  })

  test('of a transposing part sounds at concert pitch', () => {
    const transpose = '<attributes><transpose><chromatic>-2</chromatic></transpose></attributes>'
    expect(keysOf(transpose + symbol('D'))).toEqual(keysOf(symbol('C')))
  })

  test('of a score in concert pitch is not transposed, and neither are its keys', () => {
    const transpose =
      '<attributes><key><fifths>0</fifths></key><transpose><chromatic>-2</chromatic></transpose></attributes>'
    const document = miniScore([transpose + symbol('C') + melody])
    const concert = { name: 'concert-score', attributes: {}, children: [], text: '' }
    const defaults = { ...concert, name: 'defaults', children: [concert] }
    const root = { ...document.root, children: [defaults, ...document.root.children] }
    const timeline = timelineOf({ ...document, root })
    expect(notesOf(timeline, 1)).toEqual(['48@0-4', '55@0-4', '60@0-4', '64@0-4'])
    expect(timeline.keys).toEqual([{ tick: 0, fifths: 0, minor: false }])
  })

  test('follows the dynamics of its part also where the part has no symbol', () => {
    const mark = (sign: string) => direction(`<dynamics><${sign}/></dynamics>`)
    const timeline = miniTimeline([
      mark('p') + symbol('C') + melody,
      mark('f') + melody,
      symbol('C') + melody,
    ])
    const velocities = timeline.parts[1]?.notes.map(({ velocity }) => velocity) ?? []
    expect(velocities.filter((_, index) => index % 4 === 0)).toEqual([37, 84, 84])
  })

  test('is struck at its place and at each barline, until the next one', () => {
    const inLater = symbol('G', 'power', '<offset>2</offset>')
    expect(chords([symbol('C', 'power') + inLater + melody, melody])).toEqual([
      '48@0-2',
      '55@0-2',
      '60@0-2',
      '43@2-4',
      '55@2-4',
      '62@2-4',
      '43@4-8',
      '55@4-8',
      '62@4-8',
    ])
  })

  test('shares the time of its note with another one at its place', () => {
    expect(chords([symbol('C', 'pedal') + symbol('G', 'pedal') + note('C5', 2) + note('D5', 2)])).toEqual([
      '48@0-1',
      '60@0-1',
      '43@1-4',
      '55@1-4',
    ])
  })

  test('lasts for four measures, and ends with "no chord"', () => {
    const six = [symbol('C', 'pedal') + melody, melody, melody, melody, melody, melody]
    expect(chords(six).at(-1)).toBe('60@12-16')
    expect(chords([symbol('C', 'pedal') + melody, symbol('C', 'none') + melody]).at(-1)).toBe('60@0-4')
  })

  test('is softer than the melody, and follows its dynamics', () => {
    const timeline = miniTimeline([symbol('C') + direction('<dynamics><ff/></dynamics>') + melody])
    expect(timeline.parts.map(({ notes }) => notes[0]?.velocity)).toEqual([112, 100])
  })

  test('that is an alternate analysis, or of a kind that is unknown, is not played', () => {
    expect(keysOf(symbol('C', 'major', '', 'type="alternate"'))).toEqual([])
    expect(keysOf(symbol('C', 'constructor'))).toEqual([])
  })
})

describe('chord symbols are played', () => {
  const chord = symbol('C') + note('C4', 4) + chordNote('E4', 4) + chordNote('G4', 4)

  test('over a melody, and not over chords', () => {
    expect(chords([symbol('C') + melody])).toHaveLength(4)
    expect(chords([chord])).toEqual([])
  })

  test('unless another staff has broken chords', () => {
    const second = (pitch: string) => note(pitch, 1, '<voice>2</voice><staff>2</staff>')
    const broken = `<backup><duration>4</duration></backup>${second('C3')}${second('E3')}${second('G3')}${second('E3')}`
    expect(chords([symbol('C') + melody + broken])).toEqual([])
  })

  test('if most measures with symbols are without chords', () => {
    expect(chords([chord, symbol('G') + melody, symbol('F') + melody])).not.toEqual([])
    expect(chords([chord, chord, symbol('F') + melody])).toEqual([])
  })

  test('always or never when the option says so', () => {
    expect(chords([chord], { chords: true })).toHaveLength(4)
    expect(chords([symbol('C') + melody], { chords: false })).toEqual([])
    expect(chords([melody], { chords: true })).toEqual([])
  })
})
