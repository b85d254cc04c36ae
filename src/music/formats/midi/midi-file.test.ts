import { describe, expect, test } from 'vitest'
import { readMidiFile } from './midi-file.ts'
import { midiBytes, midiNote, midiTempo, midiText } from '../../testing/midi-bytes.ts'

const scale = [midiNote(0, 60), midiNote(480, 62), midiNote(960, 64)].flat()

/** The file with some of its bytes replaced. */
function withBytes(bytes: Uint8Array, offset: number, ...replacement: number[]) {
  const copy = bytes.slice()
  copy.set(replacement, offset)
  return copy
}

describe('a whole MIDI file', () => {
  test('has notes with their positions, tempos, title and copyright', () => {
    const conductor = [midiText(0, 0x03, 'Präludium'), midiText(0, 0x02, '© 2026 Ada'), midiTempo(480, 90)]
    const file = readMidiFile(midiBytes([conductor, midiNote(480, 62, { velocity: 33, channel: 4 })]))
    expect(file).toMatchObject({ title: 'Präludium', copyright: '© 2026 Ada' })
    expect(file.tempos).toEqual([{ quarter: 1, quartersPerMinute: expect.closeTo(90, 3) }])
    expect(file.notes).toMatchObject([{ track: 1, channel: 4, key: 62, velocity: 33, tick: 480 }])
    expect(file.bytes[file.notes[0]?.velocityOffset as number]).toBe(33)
  })

  test('may use running status and end notes by a velocity of 0', () => {
    const file = midiBytes([
      [
        [0, 0x90, 60, 80],
        [10, 60, 0],
        [20, 62, 80],
        [30, 62, 0],
      ],
    ])
    expect(readMidiFile(file).notes.map(({ key, tick }) => [key, tick])).toEqual([
      [60, 0],
      [62, 20],
    ])
  })

  test('has no title if its first track has notes, because the name is that of an instrument', () => {
    expect(readMidiFile(midiBytes([[midiText(0, 0x03, 'Piano'), ...scale]])).title).toBeUndefined()
  })

  test('may have its texts in Latin-1', () => {
    const title = [0, 0xff, 0x03, 4, 0x46, 0xfc, 0x72, 0x00] as [number, ...number[]]
    expect(readMidiFile(midiBytes([[title], scale])).title).toBe('Für')
  })

  test('may be wrapped in RIFF, and have system exclusive events and chunks of other types', () => {
    const inner = midiBytes([[[0, 0xf0, 2, 0x7e, 0xf7], ...scale]])
    const other = [0x58, 0x58, 0x58, 0x58, 0, 0, 0, 1, 0]
    const withOther = Uint8Array.from([...inner.subarray(0, 14), ...other, ...inner.subarray(14)])
    const size = [withOther.length & 0xff, withOther.length >> 8, 0, 0]
    const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0))
    const riff = Uint8Array.from([
      ...text('RIFF'),
      ...[0, 0, 0, 0],
      ...text('RMIDdata'),
      ...size,
      ...withOther,
    ])
    expect(readMidiFile(riff).notes).toHaveLength(3)
  })
})

describe('readMidiFile refuses, with the byte,', () => {
  const good = midiBytes([scale])
  test.each([
    ['an empty file', new Uint8Array(), 'no header chunk, at byte 0'],
    ['a file with only a header', good.subarray(0, 14), 'track 1 of 1 is missing, at byte 14'],
    ['a truncated track', good.subarray(0, 30), 'track 1 is cut off, at byte 30'],
    [
      'a track that ends within an event',
      midiBytes([[[0, 0x90, 60]]]).subarray(0, 25),
      'cut off, at byte 25',
    ],
    ['a chunk with a wrong length', withBytes(good, 18, 0, 0, 0, 5), 'ends within an event, at byte 27'],
    ['a quarter note without ticks', midiBytes([scale], { division: 0 }), 'no ticks, at byte 12'],
    ['tracks that are separate pieces', midiBytes([scale], { format: 2 }), 'format 2'],
    ['an event without a status', midiBytes([[[0, 60, 80]]]), 'no status, at byte 23'],
    ['an unknown event', midiBytes([[[0, 0xf4, 80]]]), 'no file may have, at byte 23'],
    [
      'a number of more than four bytes',
      midiBytes([[[0, 0xff, 1, 0xff, 0xff, 0xff, 0xff, 0xff]]]),
      'more than four bytes',
    ],
    [
      'a status byte instead of a data byte',
      midiBytes([[[0, 0x90, 60, 0x90]]]),
      'highest bit set, at byte 25',
    ],
    ['a tempo of zero', midiBytes([[midiTempo(0, Number.POSITIVE_INFINITY)], scale]), 'tempo without time'],
    [
      'a file longer than any music',
      midiBytes([midiNote(0, 60, { length: 480 * 20_001 })]),
      '20000 quarter notes',
    ],
    ['a file without notes', midiBytes([[midiTempo(0, 120)]]), 'has no notes'],
  ])('%s', (_when, bytes, message) => {
    expect(() => readMidiFile(bytes)).toThrow(expect.objectContaining({ code: 'INVALID_MIDI' }))
    expect(() => readMidiFile(bytes)).toThrow(message)
  })
})
