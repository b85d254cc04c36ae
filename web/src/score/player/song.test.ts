import { describe, expect, it } from 'vitest'
import { writeMidi } from '../../../../src/music/formats/midi/write.ts'
import { miniTimeline, note, type MiniPart } from '../../../../src/music/testing/mini-score.ts'
import { kinds, readSong, soundsOf } from './song.ts'

const songOf = (...parts: readonly (MiniPart | readonly string[])[]) =>
  readSong(writeMidi(miniTimeline(...parts)))

const meter = (beats: number, type: number) =>
  `<attributes><divisions>2</divisions><time><beats>${beats}</beats><beat-type>${type}</beat-type></time></attributes>`

describe('readSong', () => {
  it('reads the notes of each part with their times, also after a change of the tempo', () => {
    const song = songOf(
      {
        name: 'Flute',
        measures: [`<sound tempo="60"/>${note('C4', 4)}`, `<sound tempo="120"/>${note('D4', 4)}`],
      },
      { name: 'Cello', measures: [note('C3', 4), note('D3', 2) + note('E3', 2)] },
    )
    expect(song.parts.map(({ name }) => name)).toEqual(['Flute', 'Cello'])
    const starts = song.events.filter(({ kind }) => kind === kinds.noteOn)
    expect(starts.map(({ part, seconds, first }) => [part, seconds, first])).toEqual([
      [0, 0, 60],
      [1, 0, 48],
      [0, 4, 62],
      [1, 4, 50],
      [1, 5, 52],
    ])
    expect(song.durationSeconds).toBe(6)
  })

  it('ends a note before the next one of the same pitch begins', () => {
    const { events } = songOf([note('C4', 1) + note('C4', 1)])
    const notes = events.filter(({ kind }) => kind === kinds.noteOn || kind === kinds.noteOff)
    expect(notes.map(({ kind }) => kind)).toEqual([kinds.noteOn, kinds.noteOff, kinds.noteOn, kinds.noteOff])
  })

  it('converts times to ticks and back', () => {
    const song = songOf([`<sound tempo="70"/>${note('C4', 4)}`, `<sound tempo="133"/>${note('C4', 4)}`])
    for (const seconds of [0, 0.5, 3.4, 4, 5.2])
      expect(song.secondsAt(song.tickAt(seconds))).toBeCloseTo(seconds, 9)
  })

  it('has three eighth notes in a beat of a compound meter', () => {
    const song = songOf([`${meter(6, 8)}${note('C4', 6)}`, `${meter(3, 4)}${note('C4', 6)}`])
    const [compound, simple] = song.meters.map(({ beatTicks }) => beatTicks)
    expect((compound ?? 0) / (simple ?? 1)).toBe(1.5)
  })

  it('refuses what is not a MIDI file', () => {
    expect(() => readSong(new Uint8Array(40))).toThrow('This is not a MIDI file.')
  })
})

describe('soundsOf', () => {
  it('names each sound once, and none that plays no note', () => {
    const violin = '<midi-instrument id="I1"><midi-program>41</midi-program></midi-instrument>'
    const part = (measures: string[]): MiniPart => ({
      measures,
      scorePart: `<score-instrument id="I1"><instrument-name>Violin</instrument-name></score-instrument>${violin}`,
    })
    const rest = '<note><rest/><duration>4</duration></note>'
    expect(
      soundsOf(songOf(part([note('C4', 4)]), part([note('E4', 4)]), { name: 'Flute', measures: [rest] })),
    ).toEqual([{ isDrumKit: false, bank: 0, program: 40 }])
  })
})
