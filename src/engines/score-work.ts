import { randomUUID } from 'node:crypto'
import { fail } from '../errors.ts'
import { readOwnJson } from '../music/formats/json/read.ts'
import { writeJson } from '../music/formats/json/write.ts'
import type { ScoreDocument } from '../music/model/document.ts'
import { factsOf, type ScoreFacts } from '../music/model/facts.ts'
import { documentFault } from '../music/model/limits.ts'
import { partUuidsOf, selectParts } from '../music/model/parts.ts'
import { compareNotes, type NoteChanges } from '../music/model/statistics.ts'
import { identify } from '../music/model/uuids.ts'
import { timelineOf } from '../music/timeline/timeline.ts'
import type {
  EngineExport,
  EngineImport,
  ExportOptions,
  PreparedExport,
  ServerExport,
} from './engine-format.ts'
import { exportsOf, type FormatRegistry } from './formats.ts'

/** A score that was read from a file. */
export interface ReadContent {
  /** The document with its uuids, in the JSON form (docs/json-format.md). */
  json: string
  facts: ScoreFacts
  /** In score order. */
  partUuids: string[]
  /** Seconds of the playback, with all repeats. */
  durationTime: number
  /** Notes added and removed since the revision before. */
  statistics: NoteChanges
}

/** A stored score: its document in the JSON form, and the uuids of the parts to export. Without `parts`, all of them. */
export interface StoredScore {
  json: string
  parts?: readonly string[] | undefined
}

/** The functions of our own code on scores. They are pure and may take seconds, so they run in threads. */
export interface ScoreWork {
  /**
   * Reads a file with our own reader.
   * @param previous the revision before in the JSON form; parts and measures keep its uuids where the music is the same
   */
  read(format: string, bytes: Uint8Array, previous: string | undefined): Promise<ReadContent>
  /** Checks a file for an import by an engine, and makes the file that the engine gets. */
  prepareImport(format: string, bytes: Uint8Array): Promise<ReturnType<EngineImport['prepare']>>
  /** @param xml the engine's MusicXML of the file that has this remainder */
  completeImport(
    format: string,
    xml: string,
    remainder: unknown,
    previous: string | undefined,
  ): Promise<ReadContent>
  /** Writes a file with our own writer. */
  write(format: string, score: StoredScore): Promise<Uint8Array>
  /** Makes the job of an export by an engine. */
  prepareExport(format: string, score: StoredScore, options: ExportOptions): Promise<PreparedExport>
}

/** @param formats the registry in which the work looks up readers and writers */
export function createScoreWork(formats: FormatRegistry): ScoreWork {
  const exports = exportsOf(formats)
  return {
    async read(format, bytes, previous) {
      const read = formats[format]?.read
      if (typeof read !== 'function') throw new Error(`no reader of ours for ${format}`)
      return contentOf(await read(bytes), previous)
    },
    async prepareImport(format, bytes) {
      return importOf(formats, format).prepare(bytes)
    },
    async completeImport(format, xml, remainder, previous) {
      return contentOf(importOf(formats, format).complete(xml, remainder), previous)
    },
    async write(format, score) {
      const write = exports.get(format)?.write
      if (typeof write !== 'function') throw new Error(`no writer of ours for ${format}`)
      return write(selectedDocument(score))
    },
    async prepareExport(format, score, options) {
      return exportOf(exports, format).prepare(selectedDocument(score), options)
    },
  }
}

function importOf(formats: FormatRegistry, format: string): EngineImport {
  const read = formats[format]?.read
  if (typeof read !== 'object') throw new Error(`no engine imports ${format}`)
  return read
}

function exportOf(exports: ReadonlyMap<string, ServerExport>, format: string): EngineExport {
  const write = exports.get(format)?.write
  if (typeof write !== 'object') throw new Error(`no engine exports ${format}`)
  return write
}

function contentOf(document: ScoreDocument, previous: string | undefined): ReadContent {
  const fault = document.isChecked ? undefined : documentFault(document)
  if (fault !== undefined) fail('INVALID_SCORE', { message: `${fault}.` })
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

function selectedDocument({ json, parts }: StoredScore): ScoreDocument {
  const document = readOwnJson(json)
  return parts ? selectParts(document, parts) : document
}
