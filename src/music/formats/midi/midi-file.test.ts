import { describe, expect, test } from 'vitest'
import { midiBytes, midiNote, midiTempo, midiText, type TimedMessage } from '../../testing/midi-bytes.ts'
import { createRepairs } from '../repairs.ts'
import { readMidiFile } from './midi-file.ts'

const scale = [midiNote(0, 60), midiNote(480, 62), midiNote(960, 64)].flat()

/** The file with some of its bytes replaced. */
function withBytes(bytes: Uint8Array, offset: number, ...replacement: number[]) {
  const copy = bytes.slice()
  copy.set(replacement, offset)
  return copy
}

/** Reads a file that has no faults. */
function read(bytes: Uint8Array) {
  const repairs = createRepairs()
  const file = readMidiFile(bytes, repairs)
  expect(repairs.list).toEqual([])
  return file
}

const keysOf = (file: ReturnType<typeof readMidiFile>) =>
  file.tracks.map(({ notes }) => notes.map(({ key, start, end }) => `${key}@${start}-${end}`))

describe('a whole MIDI file', () => {
  test('has notes with their places, tempos, signatures, programs, pedals, title and copyright', () => {
    const conductor: TimedMessage[] = [
      midiText(0, 0x03, 'Präludium'),
      midiText(0, 0x02, '© 2026 Lin'),
      midiTempo(480, 90),
      [0, 0xff, 0x58, 4, 6, 3, 36, 8],
      [960, 0xff, 0x59, 2, 0xfd, 1],
      midiText(0, 0x06, 'A'),
    ]
    const part: TimedMessage[] = [
      midiText(0, 0x03, 'Harp'),
      [0, 0xff, 0x21, 1, 1],
      [0, 0xc4, 46],
      [480, 0xb4, 64, 127],
      [960, 0xb4, 64, 0],
      ...midiNote(480, 62, { velocity: 33, channel: 4 }),
      midiText(480, 0x05, 'la '),
    ]
    expect(read(midiBytes([conductor, part]))).toMatchObject({
      title: 'Präludium',
      copyright: '© 2026 Lin',
      ticksPerQuarter: 480,
      tempos: [{ tick: 480, quartersPerMinute: expect.closeTo(90, 3) }],
      meters: [{ tick: 0, beats: 6, beatType: 8 }],
      keys: [{ tick: 960, fifths: -3, isMinor: true }],
      markers: [{ tick: 0, text: 'A' }],
      programs: [{ tick: 0, channel: 20, program: 46 }],
      pedals: [
        { tick: 480, channel: 20, isDown: true },
        { tick: 960, channel: 20, isDown: false },
      ],
      tracks: [
        { notes: [] },
        {
          name: 'Harp',
          notes: [{ channel: 20, key: 62, velocity: 33, start: 480, end: 960 }],
          lyrics: [{ tick: 480, text: 'la ' }],
        },
      ],
    })
  })

  test('may use running status, also after a meta event, and end notes by a velocity of 0', () => {
    const file = midiBytes([
      [[0, 0x90, 60, 80], [10, 60, 0], midiText(15, 0x01, 'x'), [20, 62, 80], [30, 62, 0]],
    ])
    expect(keysOf(read(file))).toEqual([['60@0-10', '62@20-30']])
  })

  test('has no title if its first track has notes, because the name is that of an instrument', () => {
    const file = read(midiBytes([[midiText(0, 0x03, 'Piano'), ...scale]]))
    expect([file.title, file.tracks[0]?.name]).toEqual([undefined, 'Piano'])
  })

  test('may have its texts in Latin-1', () => {
    const title = [0, 0xff, 0x03, 4, 0x46, 0xfc, 0x72, 0x00] as [number, ...number[]]
    expect(read(midiBytes([[title], scale])).title).toBe('Für')
  })

  test('may be wrapped in RIFF, and have system exclusive events and chunks of other types', () => {
    const inner = midiBytes([[[0, 0xf0, 2, 0x7e, 0xf7], ...scale]])
    const other = [0x58, 0x58, 0x58, 0x58, 0, 0, 0, 1, 0]
    const withOther = Uint8Array.from([...inner.subarray(0, 14), ...other, ...inner.subarray(14)])
    const size = [withOther.length & 0xff, withOther.length >> 8, 0, 0]
    const text = (letters: string) => [...letters].map((letter) => letter.charCodeAt(0))
    const riff = [...text('RIFF'), 0, 0, 0, 0, ...text('RMIDdata'), ...size, ...withOther]
    expect(read(Uint8Array.from(riff)).tracks[0]?.notes).toHaveLength(3)
  })

  test('may be a single track of format 2, or have its time in SMPTE frames', () => {
    expect(read(midiBytes([scale], { format: 2 })).tracks[0]?.notes).toHaveLength(3)
    const smpte = read(midiBytes([[midiTempo(0, 77), ...scale]], { division: 0xe728 }))
    expect([smpte.ticksPerQuarter, smpte.tempos]).toEqual([500, []])
  })
})

describe('readMidiFile repairs, and tells with the byte,', () => {
  const good = midiBytes([scale])
  const two = midiBytes([scale, scale])
  test.each([
    ['too small a number of tracks', withBytes(two, 10, 0, 1), 6, '1 tracks, at byte 10. The file has 2'],
    ['too large a number of tracks', withBytes(two, 10, 0, 9), 6, '9 tracks, at byte 10. The file has 2'],
    ['an unknown format', midiBytes([scale], { format: 7 }), 3, 'format 7, at byte 8'],
    ['a wrong length of the header', withBytes(good, 4, 0, 0, 0, 99), 3, 'length as 99, at byte 4'],
    ['a track without its end', withBytes(good.slice(0, -4), 18, 0, 0, 0, 26), 3, 'no end-of-track event'],
    ['a track that is cut off', good.subarray(0, 40), 2, 'Track 1 is cut off, at byte 40'],
    ['too short a chunk', withBytes(two, 18, 0, 0, 0, 11), 6, 'Track 1 has a wrong length, at byte 18'],
    ['too long a chunk', withBytes(two, 18, 0, 0, 0, 40), 6, 'Track 1 has a wrong length, at byte 18'],
    ['an unknown event', midiBytes([[...scale, [1500, 0xf4, 80]]]), 3, 'the standard forbids, at byte 50'],
    ['a status instead of data', midiBytes([[...scale, [1500, 0x90, 60, 0x90]]]), 3, 'highest bit set'],
    ['notes that never end', midiBytes([[...scale, [1920, 0x90, 67, 80]]]), 4, 'never end: 1'],
  ])('%s', (_what, bytes, notes, message) => {
    const repairs = createRepairs()
    const file = readMidiFile(bytes, repairs)
    expect(file.tracks.flatMap((track) => track.notes)).toHaveLength(notes)
    expect(repairs.list.map((repair) => repair.message).join()).toContain(message)
  })

  test('ends a note without an end at the next note of its track, after a whole note at most', () => {
    const open: TimedMessage[] = [
      [0, 0x90, 60, 80],
      [480, 0x90, 62, 80],
      [9600, 0x90, 64, 80],
    ]
    expect(keysOf(readMidiFile(midiBytes([open]), createRepairs()))).toEqual([
      ['60@0-480', '62@480-2400', '64@9600-10080'],
    ])
  })
})

describe('readMidiFile refuses, with the byte,', () => {
  const good = midiBytes([scale])
  test.each([
    ['an empty file', new Uint8Array(), 'no header chunk, at byte 0'],
    ['a file with only a header', good.subarray(0, 14), 'track 1 of 1 is missing, at byte 14'],
    ['a track that is cut off before its first note', good.subarray(0, 24), 'track 1 is cut off, at byte 24'],
    ['a quarter note without ticks', midiBytes([scale], { division: 0 }), 'no ticks, at byte 12'],
    ['tracks that are separate pieces', midiBytes([scale, scale], { format: 2 }), 'format 2'],
    ['an event without a status', midiBytes([[[0, 60, 80]]]), 'no status, at byte 23'],
    ['an unknown event', midiBytes([[[0, 0xf4, 80]]]), 'the standard forbids, at byte 23'],
    ['a long number', midiBytes([[[0, 0xff, 1, 0xff, 0xff, 0xff, 0xff, 0xff]]]), 'more than four bytes'],
    ['a status byte instead of a data byte', midiBytes([[[0, 0x90, 60, 0x90]]]), 'set, at byte 25'],
    ['a file longer than any music', midiBytes([midiNote(480 * 20_001, 60)]), '20000 quarter notes'],
    ['a file without notes', midiBytes([[midiTempo(0, 120)]]), 'has no notes'],
  ])('%s', (_when, bytes, message) => {
    const refusal = () => readMidiFile(bytes, createRepairs())
    expect(refusal).toThrow(expect.objectContaining({ code: 'INVALID_MIDI' }))
    expect(refusal).toThrow(message)
  })
})
