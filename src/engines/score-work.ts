import { randomUUID } from 'node:crypto'
import { fail } from '../errors.ts'
import { measuresOf, partsOf, type ScoreDocument } from '../music/document.ts'
import { factsOf, type ScoreFacts } from '../music/facts.ts'
import { readJson, readOwnJson, writeJson } from '../music/json.ts'
import { writeMidi } from '../music/midi-writer.ts'
import { readMusicXml } from '../music/musicxml-reader.ts'
import { writeMusicXml } from '../music/musicxml-writer.ts'
import { readMxl, writeMxl } from '../music/mxl.ts'
import { partUuidsOf, selectParts } from '../music/parts.ts'
import { compareNotes, type NoteChanges } from '../music/statistics.ts'
import { synchronizationPointsOf } from '../music/synchronization-points.ts'
import { timelineOf } from '../music/timeline.ts'
import { identify } from '../music/uuids.ts'
import { engravable, measuresInView, openingOf } from './engraving.ts'
import { completed, type MidiRemainder, prepareMidi, withoutLayout } from './midi-import.ts'

/** What our own code makes of a score without any engine, each in one go. All of it is pure and may take a second. */

/** A score as it was read. */
export interface ReadContent {
  /** The document with its uuids, in the JSON form (docs/json-format.md). */
  json: string
  facts: ScoreFacts
  /** In score order. */
  partUuids: string[]
  /** Seconds that it plays, repeats and all. */
  durationTime: number
  /** Notes more and less than in the revision before. */
  statistics: NoteChanges
}

/** A stored score: its document in the JSON form, and the uuids of the parts that are wanted, if not all are. */
export interface StoredScore {
  json: string
  parts?: readonly string[] | undefined
}

export type ReadableFormat = 'musicxml' | 'mxl' | 'json'
export type WrittenFormat = 'json' | 'xml' | 'mxl' | 'midi' | 'synchronizationPoints'

/** @param previous the revision before in the JSON form, whose uuids are kept where the music is the same */
export async function readContent(
  bytes: Uint8Array,
  format: ReadableFormat,
  previous: string | undefined,
): Promise<ReadContent> {
  return contentOf(await readDocument(bytes, format), previous)
}

function contentOf(document: ScoreDocument, previous: string | undefined): ReadContent {
  const before = previous === undefined ? undefined : readOwnJson(previous)
  identify(document, randomUUID, before)
  return {
    json: writeJson(document),
    facts: factsOf(document),
    partUuids: partUuidsOf(document),
    durationTime: timelineOf(document).durationSeconds,
    statistics: compareNotes(before, document),
  }
}

/** Checks a MIDI file and makes it ready for the notation engine. */
export async function prepareForImport(bytes: Uint8Array): Promise<ReturnType<typeof prepareMidi>> {
  return prepareMidi(bytes)
}

/** @param xml the engine's MusicXML of the MIDI file whose remainder this is */
export async function readImported(
  xml: string,
  remainder: MidiRemainder,
  previous: string | undefined,
): Promise<ReadContent> {
  return contentOf(completed(readMusicXml(encode(withoutLayout(xml))), remainder), previous)
}

async function readDocument(bytes: Uint8Array, format: ReadableFormat): Promise<ScoreDocument> {
  switch (format) {
    case 'musicxml':
      return readMusicXml(bytes)
    case 'mxl':
      return readMusicXml(await readMxl(bytes))
    case 'json':
      return readJson(new TextDecoder().decode(bytes))
  }
}

export async function writeContent(score: StoredScore, format: WrittenFormat): Promise<Uint8Array> {
  const document = wantedOf(score)
  switch (format) {
    case 'json':
      return encode(writeJson(document))
    case 'xml':
      return encode(writeMusicXml(document))
    case 'mxl':
      return writeMxl(writeMusicXml(document))
    case 'midi':
      return writeMidi(timelineOf(document))
    case 'synchronizationPoints':
      return encode(JSON.stringify(synchronizationPointsOf(timelineOf(document))))
  }
}

/**
 * A MIDI file for the audio engine, and how long its music lasts.
 * Fails with SCORE_TOO_LONG above `mostSeconds`.
 */
export async function writeForPerforming(
  score: StoredScore,
  mostSeconds: number,
): Promise<{ midi: Uint8Array; seconds: number }> {
  const timeline = timelineOf(wantedOf(score))
  const seconds = timeline.durationSeconds
  if (seconds > mostSeconds) {
    const minutes = `The score lasts ${Math.ceil(seconds / 60)} minutes; this format takes ${mostSeconds / 60}.`
    fail('SCORE_TOO_LONG', { message: minutes })
  }
  return { midi: writeMidi(timeline), seconds }
}

/** MusicXML for the engraving engine. */
export async function writeForEngraving(score: StoredScore): Promise<Uint8Array> {
  return encode(writeMusicXml(engravable(wantedOf(score))))
}

/**
 * The beginning of a score for the engraving engine, about as long as a thumbnail shows.
 * @param stretch how many times as much
 */
export async function writeOpening(
  score: StoredScore,
  stretch: number,
): Promise<{ xml: Uint8Array; isWhole: boolean }> {
  const document = wantedOf(score)
  const measures = measuresInView(document) * stretch
  const isWhole = partsOf(document).every((part) => measuresOf(part).length <= measures)
  return { xml: encode(writeMusicXml(engravable(openingOf(document, measures)))), isWhole }
}

function wantedOf({ json, parts }: StoredScore): ScoreDocument {
  const document = readOwnJson(json)
  return parts ? selectParts(document, parts) : document
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
