import { describe, expect, test } from 'vitest'
import { writeMidi } from './write.ts'
import { chordNote, direction, type MiniPart, miniTimeline, note, words } from '../../testing/mini-score.ts'
import { type ParsedMidi, parseMidi, secondsOf } from '../../testing/parse-midi.ts'

const wholeNote = note('C4', 4)
const backup = '<backup><duration>4</duration></backup>'

function midiOf(...parts: readonly (MiniPart | readonly string[])[]): ParsedMidi {
  return parseMidi(writeMidi(miniTimeline(...parts)))
}

function metasOf({ metas, division }: ParsedMidi, track: number, type: number): string[] {
  const ofType = metas.filter((meta) => meta.track === track && meta.type === type)
  return ofType.map(({ tick, data }) => `${tick / division}:${[...data].join(' ')}`)
}

function textsOf({ metas }: ParsedMidi, track: number, type: number): string[] {
  const ofType = metas.filter((meta) => meta.track === track && meta.type === type)
  return ofType.map(({ data }) => new TextDecoder().decode(data))
}

describe('writeMidi', () => {
  test('writes format 1 with a conductor and a track for each part', () => {
    const midi = midiOf({ name: 'Flöte', measures: [wholeNote] }, { name: 'Piano', measures: [wholeNote] })
    expect(midi).toMatchObject({ format: 1, division: 960, tracks: 3, faults: [] })
    expect([1, 2].map((track) => textsOf(midi, track, 0x03))).toEqual([['Flöte'], ['Piano']])
  })

  test('puts tempo, meter, key and markers on the conductor', () => {
    const attributes = `<attributes><key><fifths>-3</fifths><mode>minor</mode></key><time><beats>6</beats><beat-type>8</beat-type></time></attributes>`
    const midi = midiOf([
      `${attributes}<sound tempo="90"/>${direction('<rehearsal>A</rehearsal>')}${note('C4', 3)}`,
      `<sound tempo="60"/>${note('C4', 3)}`,
    ])
    expect(metasOf(midi, 0, 0x51)).toEqual(['0:10 44 43', '3:15 66 64'])
    expect(metasOf(midi, 0, 0x58)).toEqual(['0:6 3 36 8'])
    expect(metasOf(midi, 0, 0x59)).toEqual(['0:253 1'])
    expect(textsOf(midi, 0, 0x06)).toEqual(['A'])
  })

  test('leaves out a meter that MIDI cannot express', () => {
    const time = '<attributes><time><beats>2</beats><beat-type>6</beat-type></time></attributes>'
    expect(metasOf(midiOf([time + wholeNote]), 0, 0x58)).toEqual([])
  })

  test('ends all tracks at the end of the timeline', () => {
    const timeline = miniTimeline(
      [`<sound tempo="77"/>${wholeNote}${words('rit.')}`, note('C4', 7)],
      [note('G4', 1)],
    )
    const midi = parseMidi(writeMidi(timeline))
    const ends = midi.metas.filter(({ type }) => type === 0x2f).map(({ tick }) => tick)
    expect(ends).toEqual([timeline.durationTicks, timeline.durationTicks, timeline.durationTicks])
    expect(secondsOf(midi)).toBeCloseTo(timeline.durationSeconds, 9)
  })

  test('writes the notes with their velocity', () => {
    const midi = midiOf([
      direction('<dynamics><f/></dynamics>') + note('C4', 1) + chordNote('E4', 1) + note('C4', 3),
    ])
    expect(
      midi.notes.map(({ key, velocity, start, end }) => [key, velocity, start / 960, end / 960]),
    ).toEqual([
      [60, 96, 0, 1],
      [64, 96, 0, 1],
      [60, 96, 1, 4],
    ])
  })

  test('releases a key before it strikes the key again on the same tick', () => {
    const file = writeMidi(miniTimeline([note('C4', 1) + note('C4', 1)]))
    expect(parseMidi(file).faults).toEqual([])
    expect(parseMidi(file).notes.map(({ start, end }) => [start / 960, end / 960])).toEqual([
      [0, 1],
      [1, 2],
    ])
  })

  test('keeps every note of a unison at its full length', () => {
    const unison = midiOf([
      wholeNote + backup + note('C5', 2, '<voice>2</voice>') + note('C4', 1, '<voice>2</voice>'),
    ])
    expect(
      unison.notes.filter(({ key }) => key === 60).map(({ start, end }) => [start / 960, end / 960]),
    ).toEqual([
      [0, 2],
      [2, 4],
    ])
    const together = midiOf([wholeNote + backup + note('C4', 1, '<voice>2</voice>')])
    expect(together.notes.map(({ start, end }) => [start / 960, end / 960])).toEqual([
      [0, 4],
      [0, 4],
    ])
    expect(together.faults).toEqual([])
  })

  test('writes bank, program, volume, pan and pedals before the notes', () => {
    const instruments = `<score-instrument id="I1"><instrument-name>x</instrument-name></score-instrument><midi-instrument id="I1">
      <midi-bank>130</midi-bank><midi-program>74</midi-program><volume>100</volume><pan>90</pan></midi-instrument>`
    const midi = midiOf({
      scorePart: instruments,
      measures: [direction('<pedal type="start"/>') + wholeNote],
    })
    expect(midi.messages.map(({ tick, bytes }) => [tick / 960, ...bytes])).toEqual([
      [0, 0xb0, 0, 1],
      [0, 0xb0, 32, 1],
      [0, 0xc0, 73],
      [0, 0xb0, 7, 127],
      [0, 0xb0, 10, 127],
      [0, 0xb0, 64, 127],
      [4, 0xb0, 64, 0],
    ])
  })

  test('writes lyrics with a space after each word', () => {
    const lyric = (text: string, syllabic: string) =>
      `<lyric><syllabic>${syllabic}</syllabic><text>${text}</text></lyric>`
    const midi = midiOf([note('C4', 2, lyric('Lü', 'begin')) + note('C4', 2, lyric('ge', 'end'))])
    expect(textsOf(midi, 1, 0x05)).toEqual(['Lü', 'ge '])
  })

  test('bends the pitch for microtones, and back', () => {
    const quarterSharp = note('C#4', 2).replace('<alter>1', '<alter>0.5')
    const bends = midiOf([quarterSharp + note('C4', 2)]).messages.filter(({ bytes }) => bytes[0] === 0xe0)
    const values = bends.map(({ bytes }) => (bytes[1] ?? 0) + (bytes[2] ?? 0) * 128)
    expect(values).toEqual([8192 - 2048, 8192])
  })

  test('plays percussion on channel 10, also within a melodic part', () => {
    const drum =
      '<note><unpitched><display-step>C</display-step><display-octave>5</display-octave></unpitched><duration>4</duration></note>'
    const midi = midiOf({ name: 'Drum Set', measures: [drum] }, [drum + note('C4', 1)])
    expect(midi.notes.map(({ track, channel, key }) => [track, channel, key])).toEqual([
      [1, 9, 38],
      [2, 9, 38],
      [2, 0, 60],
    ])
  })

  test('selects the kit of the instrument on channel 10, or the one that the file names', () => {
    const drum =
      '<note><unpitched><display-step>C</display-step><display-octave>5</display-octave></unpitched><duration>4</duration></note>'
    const part = (name: string, program?: number): MiniPart => ({
      name,
      ...(program && {
        scorePart: `<midi-instrument id="I"><midi-channel>10</midi-channel><midi-program>${program}</midi-program></midi-instrument>`,
      }),
      measures: [drum],
    })
    const kitsOf = (...parts: MiniPart[]) =>
      midiOf(...parts).messages.flatMap(({ bytes }) => (bytes[0] === 0xc9 ? [bytes[1]] : []))
    const names = ['Drum Set', 'Jazz Drumset', 'Brush Drumset', 'Electronic Drumset']
    expect(names.flatMap((name) => kitsOf(part(name)))).toEqual([0, 32, 40, 24])
    expect(kitsOf(part('Jazz Drumset', 41))).toEqual([40])
    expect(kitsOf(part('Jazz Drumset', 1))).toEqual([0])
    // The program of a taiko is no kit.
    expect(kitsOf(part('Drum Set', 117))).toEqual([0])
    // All parts share the channel, so a triangle keeps the jazz kit.
    expect(kitsOf(part('Jazz Drumset'), part('Triangle'))).toEqual([32, 32])
  })
})

describe('channels', () => {
  const channels = (midi: ParsedMidi) =>
    midi.notes.toSorted((a, b) => a.track - b.track).map(({ channel }) => channel)
  const ports = (midi: ParsedMidi) =>
    midi.metas.filter(({ type }) => type === 0x21).map(({ track, data }) => [track, data[0]])
  const withProgram = (program: number): MiniPart => ({
    scorePart: `<midi-instrument id="I"><midi-program>${program}</midi-program></midi-instrument>`,
    measures: [wholeNote],
  })

  test('are separate for up to 15 parts and skip the tenth', () => {
    const midi = midiOf(...Array.from({ length: 15 }, () => [wholeNote]))
    expect(channels(midi)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15])
  })

  test('are shared by parts with the same sound if there are more than 15 parts', () => {
    const midi = midiOf(...Array.from({ length: 20 }, (_, index) => withProgram((index % 4) + 1)))
    expect(new Set(channels(midi))).toEqual(new Set([0, 1, 2, 3]))
    expect(ports(midi)).toEqual([])
    expect(midi.notes).toHaveLength(20)
    expect(midi.faults).toEqual([])
  })

  test('of a part with a slide are its own', () => {
    const slide = (type: string) => `<notations><slide type="${type}"/></notations>`
    const sliding = [note('C4', 2, slide('start')) + note('G4', 2, slide('stop'))]
    const others = Array.from({ length: 15 }, () => [wholeNote])
    expect(new Set(channels(midiOf(sliding, ...others)))).toEqual(new Set([0, 1]))
  })

  test('continue on another port for more than 15 sounds', () => {
    const midi = midiOf(...Array.from({ length: 17 }, (_, index) => withProgram(index + 1)))
    expect(channels(midi).slice(-2)).toEqual([0, 1])
    expect(ports(midi)).toEqual([
      [16, 1],
      [17, 1],
    ])
  })
})
