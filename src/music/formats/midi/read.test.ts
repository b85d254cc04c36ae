import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../errors.ts'
import {
  child,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../model/document.ts'
import { documentFault } from '../../model/limits.ts'
import { midiBytes, midiNote, midiTempo, midiText, type TimedMessage } from '../../testing/midi-bytes.ts'
import { notationText } from '../../testing/notation-text.ts'
import { orderFaults } from '../../testing/schema-order.ts'
import { createRepairs } from '../repairs.ts'
import { readMidi } from './read.ts'

const TICKS = 480

/** Notes one after the other: keys with lengths in quarter notes. */
function melody(notes: readonly (readonly [key: number, length: number, sounding?: number])[], from = 0) {
  const messages: TimedMessage[] = []
  let at = from
  for (const [key, length, sounding = length] of notes) {
    if (key > 0)
      messages.push(...midiNote(Math.round(at * TICKS), key, { length: Math.round(sounding * TICKS) }))
    at += length
  }
  return messages
}

const meter = (beats: number, power: number, quarter = 0): TimedMessage => [
  quarter * TICKS,
  ...[0xff, 0x58, 4, beats, power, 24, 8],
]
const key = (fifths: number, minor = 0): TimedMessage => [0, 0xff, 0x59, 2, fifths & 0xff, minor]

function read(...tracks: TimedMessage[][]): ScoreDocument {
  const document = readMidi(midiBytes(tracks), createRepairs())
  expect(orderFaults(document)).toEqual([])
  return document
}

/** The measures of the first part. */
const written = (...tracks: TimedMessage[][]) => notationText(read(...tracks))

const equal = (keys: readonly number[], length: number) => keys.map((one) => [one, length] as const)
const firstMeasure = (document: ScoreDocument, part = 0) =>
  measuresOf(partsOf(document)[part] as Element)[0] as Element
const named = (element: Element, name: string): Element[] =>
  element.children.flatMap((one) => [...(one.name === name ? [one] : []), ...named(one, name)])
const partNames = ({ root }: ScoreDocument) => named(root, 'part-name').map(({ text }) => text)

describe('values', () => {
  test('show the beat, with ties over it and over bar lines', () => {
    const notes = [
      [60, 0.5],
      [62, 1],
      [64, 0.5],
      [65, 1.5],
      [67, 2],
      [65, 0.25],
      [64, 0.75],
      [62, 1.5],
    ] as const
    expect(written(melody(notes))).toEqual(['C4e D4q E4e F4q. G4e~', 'G4q. F4s E4s~ E4e D4e~ D4q'])
  })

  test.each([
    ['a triplet', [0.5, 0.5, 1 / 3, 1 / 3, 1 / 3, 2], 'C4e D4e E4e3 F4e3 G4e3 A4h'],
    ['a triplet with a quarter', [2 / 3, 1 / 3, 3], 'C4q3 D4e3 E4h.'],
    ['a sextuplet', [...Array.from({ length: 6 }, () => 1 / 6), 3], 'C4s6 D4s6 E4s6 F4s6 G4s6 A4s6 B4h.'],
    ['a quintuplet', [...Array.from({ length: 5 }, () => 0.2), 3], 'C4s5 D4s5 E4s5 F4s5 G4s5 A4h.'],
    [
      'a septuplet',
      [...Array.from({ length: 7 }, () => 1 / 7), 3],
      'C4s7 D4s7 E4s7 F4s7 G4s7 A4s7 B4s7 C5h.',
    ],
    ['a triplet of quarters', [2 / 3, 2 / 3, 2 / 3, 2], 'C4q3 D4q3 E4q3 F4h'],
    ['a triplet within half a beat', [0.5, 1 / 6, 1 / 6, 1 / 6, 3], 'C4e D4s3 E4s3 F4s3 G4h.'],
  ])('have %s', (_what, lengths, text) => {
    const scale = [60, 62, 64, 65, 67, 69, 71, 72]
    const notes = lengths.map((length, index) => [scale[index] ?? 60, length] as const)
    expect(written(melody(notes))).toEqual([text])
  })

  test('have beats of three in compound meters, and dotted values for their halves', () => {
    const notes = [...equal([60, 62, 64], 0.5), ...equal([65, 67], 0.75)]
    expect(written([meter(6, 3), ...melody(notes)])).toEqual(['C4e D4e E4e F4e. G4e.'])
  })

  test('fill short gaps, and mark notes that sound for less than half as staccato', () => {
    const notes = [
      [60, 1, 0.85],
      [62, 1, 0.37],
      [64, 2, 1.9],
    ] as const
    expect(written(melody(notes))).toEqual(["C4q D4q' E4h"])
  })

  test('keep rests that were played', () => {
    expect(
      written(
        melody([
          [60, 1, 0.5],
          [62, 1],
          [0, 1],
          [64, 1],
        ]),
      ),
    ).toEqual(['C4e re D4q rq E4q'])
  })
})

describe('measures', () => {
  test('follow the time signatures, also within a measure', () => {
    const notes = equal([60, 62, 64, 65, 67, 69, 71, 72, 74], 1)
    const text = written([meter(3, 2), meter(2, 2, 5), ...melody(notes)])
    expect(text).toEqual(['C4q D4q E4q', 'F4q G4q', 'A4q B4q', 'C5q D5q'])
  })

  test('begin with a pick-up if the first time signature is shorter, or silence fills half of the first measure', () => {
    const tune = equal([67, 72, 74, 76, 77, 79], 1)
    const given = read([meter(1, 2), meter(4, 2, 1), ...melody(tune)])
    const silent = read([meter(4, 2), ...melody([[0, 3], ...tune])])
    for (const document of [given, silent]) {
      expect(notationText(document)).toEqual(['G4q', 'C5q D5q E5q F5q', 'G5q rq rh'])
      const [pickup, second] = measuresOf(partsOf(document)[0] as Element)
      expect([pickup?.attributes.number, pickup?.attributes.implicit, second?.attributes.number]).toEqual([
        '0',
        'yes',
        '1',
      ])
      expect(named(pickup as Element, 'beats').map(({ text }) => text)).toEqual(['4'])
    }
  })

  test('are 3/4 without a time signature if each third beat is strong', () => {
    const waltz = Array.from({ length: 12 }, (_, bar) => [
      ...midiNote(bar * 1440, 43, { length: 1440, velocity: 100 }),
      ...midiNote(bar * 1440 + 480, 67, { velocity: 50 }),
      ...midiNote(bar * 1440 + 960, 67, { velocity: 50 }),
    ]).flat()
    expect(childText(named(firstMeasure(read(waltz)), 'time')[0] as Element, 'beats')).toBe('3')
  })
})

describe('swing', () => {
  test('is written even, with a direction', () => {
    const document = read(
      melody(
        Array.from(
          { length: 16 },
          (_, beat) =>
            [
              [60 + (beat % 5), 2 / 3],
              [64, 1 / 3],
            ] as const,
        ).flat(),
      ),
    )
    expect(notationText(document)[0]).toBe('C4e E4e C#4e E4e D4e E4e D#4e E4e')
    expect(named(firstMeasure(document), 'words').map(({ text }) => text)).toEqual(['Swing'])
    expect(named(firstMeasure(document), 'swing')).toHaveLength(1)
  })

  test('is not assumed if triplets have all of their notes', () => {
    const triplets = Array.from({ length: 16 }, () => equal([60, 62, 64], 1 / 3)).flat()
    expect(notationText(read(melody(triplets)))[0]).toMatch(/^C4e3 D4e3 E4e3/)
  })
})

describe('staves and voices', () => {
  test('give each hand its staff, and keep a melody in one hand when it crosses middle C', () => {
    const left = melody([...equal([43, 47, 50, 47], 1), ...equal([45, 48, 52, 48], 1)])
    const right = melody([...equal([72, 67, 64, 62, 60, 59, 60, 64], 0.5), ...equal([67, 72, 76, 79], 1)])
    const document = read([...right, ...left].sort(([a], [b]) => a - b))
    expect(childText(named(firstMeasure(document), 'attributes')[0] as Element, 'staves')).toBe('2')
    expect(notationText(document)[0]).toBe('C5e G4e E4e D4e C4e B3e C4e E4e | G2q B2q D3q B2q')
  })

  test('write a held note below moving ones in a second voice', () => {
    const document = read([...melody(equal([72, 74, 76, 77], 1)), ...melody([[64, 4]])])
    expect(notationText(document)).toEqual(['C5q D5q E5q F5q | E4w'])
  })

  test('join two tracks that are named after the hands', () => {
    const right = [midiText(0, 0x03, 'Piano RH'), ...melody(equal([72, 74], 2))]
    const left = [midiText(0, 0x03, 'Piano LH'), ...melody(equal([48, 50], 2))]
    const document = read(right, left)
    expect(partNames(document)).toEqual(['Piano'])
    expect(notationText(document)).toEqual(['C5h D5h | C3h D3h'])
  })

  test('are parts by channel in a file with one track', () => {
    const program = (channel: number, number: number): TimedMessage => [0, 0xc0 | channel, number]
    const document = read([
      program(0, 73),
      program(1, 42),
      ...midiNote(0, 76, { channel: 0 }),
      ...midiNote(0, 48, { channel: 1 }),
      ...midiNote(0, 36, { channel: 9 }),
      ...midiNote(480, 42, { channel: 9 }),
    ])
    expect(partNames(document)).toEqual(['Flute', 'Cello', 'Drum Set'])
    expect(notationText(document, 2)).toEqual(['F4q G5q rh'])
    expect(named(document.root, 'midi-unpitched').map(({ text }) => text)).toEqual(['37', '43'])
  })

  test('are written at the pitch of the instrument, by the key in its name', () => {
    const horn = [midiText(0, 0x03, 'Horn in E'), key(0), ...melody([[64, 4]])]
    const document = read([], horn)
    expect(notationText(document)).toEqual(['C5w'])
    expect(named(firstMeasure(document), 'fifths').map(({ text }) => text)).toEqual(['-4'])
  })
})

describe('spelling', () => {
  test('follows the key signature', () => {
    expect(written([key(-4), ...melody(equal([68, 70, 72, 73], 1))])).toEqual(['Ab4q Bb4q C5q Db5q'])
    expect(written([key(4), ...melody(equal([68, 70, 71, 73], 1))])).toEqual(['G#4q A#4q B4q C#5q'])
  })

  test('writes the leading note of a minor key as a raised step', () => {
    expect(written([key(0, 1), ...melody(equal([69, 68, 69, 71], 1))])).toEqual(['A4q G#4q A4q B4q'])
  })

  test('guesses the key without a signature', () => {
    const scale = equal([62, 64, 66, 67, 69, 71, 73, 74], 0.5)
    const document = read(melody([...scale, ...scale, [62, 4]]))
    expect(named(firstMeasure(document), 'fifths')[0]?.text).toBe('2')
  })
})

describe('signs', () => {
  test('are a metronome mark for each lasting tempo, and none for the steps of a curve', () => {
    const curve = Array.from({ length: 16 }, (_, beat) => midiTempo((16 + beat) * TICKS, 120 - 2 * beat))
    const document = read([
      midiTempo(0, 120),
      ...curve,
      midiTempo(32 * TICKS, 60),
      ...melody(equal(Array(64).fill(60), 1)),
    ])
    expect(named(document.root, 'per-minute').map(({ text }) => text)).toEqual(['120', '60'])
    expect(named(document.root, 'sound').length).toBeGreaterThan(10)
  })

  test('are dynamics if the velocities differ', () => {
    const loud = (from: number, velocity: number) =>
      Array.from({ length: 16 }, (_, beat) => midiNote((from + beat) * TICKS, 60, { velocity })).flat()
    const document = read([...loud(0, 50), ...loud(16, 100)])
    expect(named(document.root, 'dynamics').map(({ children }) => children[0]?.name)).toEqual(['p', 'f'])
    expect(named(read(loud(0, 100)).root, 'dynamics')).toEqual([])
  })

  test('are the pedal, and its changes', () => {
    const pedal = (quarter: number, value: number): TimedMessage => [quarter * TICKS, 0xb0, 64, value]
    const messages = [pedal(0, 127), pedal(3.9, 0), pedal(4.1, 127), pedal(7, 0)]
    const document = read([...messages, ...melody(equal([60, 62], 4))])
    expect(named(document.root, 'pedal').map(({ attributes }) => attributes.type)).toEqual([
      'start',
      'change',
      'stop',
    ])
  })

  test('are grace notes and trills', () => {
    const grace = melody([
      [60, 1.94, 1.9],
      [74, 0.06],
      [72, 2],
    ])
    expect(written(grace)).toEqual(['C4h gD5e C5h'])
    const trill = melody(
      Array.from({ length: 14 }, (_, index) => [index % 2 === 0 ? 72 : 74, 1 / 7] as const),
    )
    const document = read([...trill, ...melody([[67, 2]], 2)])
    expect(notationText(document)).toEqual(['C5h G4h'])
    expect(named(document.root, 'trill-mark')).toHaveLength(1)
  })
})

describe('lyrics', () => {
  const syllables = (document: ScoreDocument) =>
    named(document.root, 'lyric').map(
      (lyric) => `${childText(lyric, 'syllabic')} ${childText(lyric, 'text')}`,
    )
  const tune = melody(equal([60, 62, 64, 65, 67, 69, 71, 72], 1))

  test('are lyric events with a space after each word', () => {
    const words = ['Lit', 'tle ', 'star '].map((text, beat) => midiText(beat * TICKS, 0x05, text))
    expect(syllables(read([...words, ...tune]))).toEqual(['begin Lit', 'end tle', 'single star'])
  })

  test('of a karaoke file are the text events of another track, and belong to the voice that they fit', () => {
    const texts = ['\\Lit', 'tle', ' star', ' I', ' won', 'der', '/how', ' high']
    const words = texts.map((text, beat) => midiText(beat * TICKS, 0x01, text))
    const header = [
      midiText(0, 0x01, '@KMIDI KARAOKE FILE'),
      midiText(0, 0x01, '@TStar'),
      midiText(0, 0x01, '@TTrad.'),
    ]
    const bass = melody(equal([36, 43], 4)).map(
      ([tick, status = 0, ...data]): TimedMessage => [tick, status | 1, ...data],
    )
    const document = read(header, bass, tune, words)
    expect(childText(child(document.root, 'work') as Element, 'work-title')).toBe('Star')
    expect(syllables(document)).toEqual([
      'begin Lit',
      'end tle',
      'single star',
      'single I',
      'begin won',
      'end der',
      'single how',
      'single high',
    ])
    expect(named(partsOf(document)[1] as Element, 'lyric')).toHaveLength(8)
  })

  test('are not the comments at the beginning of a file', () => {
    const comments = [...'Recorded'].map((text) => midiText(0, 0x01, text))
    expect(syllables(read(comments, tune))).toEqual([])
  })
})

test('a performance without a metronome gets its own beat, and its silence becomes a measure of rest', () => {
  // Quarter notes of 0.61 s with a slow wave in the tempo, after 1.7 s of silence. A tick is 1/960 s.
  const messages: TimedMessage[] = []
  let seconds = 1.7
  for (let beat = 0; beat < 64; beat++) {
    const tick = Math.round(seconds * 960)
    messages.push(
      ...midiNote(tick, 60 + (beat % 4) * 2, { length: 400, velocity: beat % 4 === 0 ? 100 : 60 }),
    )
    seconds += 0.61 + 0.06 * Math.sin(beat / 7)
  }
  const text = written(messages)
  expect(text[0]).toBe('r')
  expect(new Set(text.slice(1, 15).map((measure) => measure.replace(/['~]/g, '')))).toEqual(
    new Set(['C4q D4q E4q F#4q']),
  )
})

test('any bytes make a score within the limits, or are refused with INVALID_MIDI', () => {
  const part = [
    midiText(0, 0x03, 'Piano'),
    meter(3, 2),
    key(2),
    midiTempo(0, 90),
    ...melody(equal([60, 64, 67], 0.5)),
  ]
  const whole = midiBytes([
    [...part, [0, 0xb0, 64, 127]],
    [midiText(0, 0x05, 'la '), ...midiNote(0, 36, { channel: 9 })],
  ])
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
  const changed = fc.tuple(fc.array(change, { maxLength: 12 }), fc.integer({ min: 14, max: whole.length }))
  const mutated = changed.map(([changes, length]) => {
    const bytes = whole.slice(0, length)
    for (const [at, value] of changes) if (at < length) bytes[at] = value
    return bytes
  })
  const random = fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => Uint8Array.from([...whole.subarray(0, 14), ...bytes]))
  let made = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 3, arbitrary: mutated }, random), (bytes) => {
      try {
        const document = readMidi(bytes, createRepairs())
        expect(documentFault(document)).toBeUndefined()
        expect(orderFaults(document)).toEqual([])
        made += 1
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        expect([error.code, /byte \d+|no notes|too much/.test(error.message)]).toEqual(['INVALID_MIDI', true])
      }
    }),
    { numRuns: 400, seed: 7 },
  )
  expect(made).toBeGreaterThan(50)
})
