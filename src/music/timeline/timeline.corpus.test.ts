import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { writeMidi } from '../formats/midi/write.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { readMxl } from '../formats/mxl/read.ts'
import { measuresOf, partsOf } from '../model/document.ts'
import { isSoundingNote } from '../model/measure-walk.ts'
import { noteTimesOf } from './note-times.ts'
import { synchronizationPointsOf } from './synchronization-points.ts'
import { countSoundingNotes } from '../testing/count-notes.ts'
import { type ParsedMidi, parseMidi, secondsOf } from '../testing/parse-midi.ts'
import { faultsOf } from '../testing/timeline-faults.ts'
import { asWritten } from './playback-options.ts'
import { timelineOf } from './timeline.ts'
import type { Timeline } from './played.ts'

const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const lieder = new URL('lieder-mxl/', corpus)
const suite = new URL('musicxml-suite/', corpus)

async function xmlOf(file: URL): Promise<Uint8Array> {
  const bytes = readFileSync(file)
  return file.href.endsWith('.mxl') ? await readMxl(bytes) : bytes
}

/** The rules that the MIDI file and the timeline share, and those of every MIDI file. */
function expectFaithful(midi: ParsedMidi, timeline: Timeline): void {
  expect(midi.faults).toEqual([])
  expect(midi.tracks).toBe(timeline.parts.length + 1)
  expect(midi.notes.length).toBe(timeline.parts.reduce((sum, { notes }) => sum + notes.length, 0))
  expect(Math.abs(secondsOf(midi) - timeline.durationSeconds)).toBeLessThan(0.01)
}

const skipped = 'skipped without ../shared/corpus'

describe.skipIf(!existsSync(lieder))(`OpenScore Lieder (${skipped})`, () => {
  const files = existsSync(lieder) ? readdirSync(lieder) : []

  test('are 40', () => {
    expect(files).toHaveLength(40)
  })

  test.each(files)(
    '%s has as many notes as a simple count finds, and the expected duration',
    async (file) => {
      const xml = await xmlOf(new URL(file, lieder))
      const document = readMusicXml(xml)
      expect(faultsOf(timelineOf(document))).toEqual([])
      const timeline = timelineOf(document, asWritten)
      const midi = parseMidi(writeMidi(timeline))
      expect(faultsOf(timeline)).toEqual([])
      expect(midi.notes.length).toBe(countSoundingNotes(new TextDecoder().decode(xml)))
      expectFaithful(midi, timeline)
      expect(synchronizationPointsOf(timeline).at(-1)?.time).toBeCloseTo(timeline.durationSeconds, 3)
    },
  )
})

describe.skipIf(!existsSync(lieder))(`note times (${skipped})`, () => {
  test.each(existsSync(lieder) ? readdirSync(lieder) : [])(
    'of %s have every note that sounds',
    async (file) => {
      const document = readMusicXml(await xmlOf(new URL(file, lieder)))
      const timed = noteTimesOf(document).parts.map(
        ({ notes }) =>
          new Set(notes.flatMap(({ places }) => places.map(({ measure, index }) => `${measure}.${index}`)))
            .size,
      )
      const sounding = partsOf(document).map(
        (part) =>
          measuresOf(part)
            .flatMap(({ children }) => children)
            .filter((one) => one.name === 'note' && isSoundingNote(one)).length,
      )
      expect(timed).toEqual(sounding)
    },
  )
})

/** Refused by the reader: not well-formed XML. */
const refused = ['32ad-Notations5.musicxml']

describe.skipIf(!existsSync(suite))(`the MusicXML suite (${skipped})`, () => {
  const files = existsSync(suite) ? readdirSync(suite).filter((file) => !refused.includes(file)) : []

  test('has 149 files that can be read', () => {
    expect(files).toHaveLength(149)
  })

  test.each(files)('%s has a timeline without faults and a matching MIDI file', async (file) => {
    const timeline = timelineOf(readMusicXml(await xmlOf(new URL(file, suite))))
    expect(faultsOf(timeline)).toEqual([])
    expectFaithful(parseMidi(writeMidi(timeline)), timeline)
  })
})
