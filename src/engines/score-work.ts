import { randomUUID } from 'node:crypto'
import { fail } from '../errors.ts'
import { createRepairs, type Repair, type Repairs } from '../music/formats/repairs.ts'
import { readOwnJson } from '../music/formats/json/read.ts'
import { writeJson } from '../music/formats/json/write.ts'
import type { ScoreDocument } from '../music/model/document.ts'
import { factsOf, type ScoreFacts } from '../music/model/facts.ts'
import { documentFault } from '../music/model/limits.ts'
import { partUuidsOf, selectParts } from '../music/model/parts.ts'
import { compareNotes, type NoteChanges } from '../music/model/statistics.ts'
import { changedTemplateMeasures } from '../music/model/template-lock.ts'
import { type CreditChange, withCredits } from '../music/model/write-credits.ts'
import { type PitchSetting, withPitches } from '../music/model/transposition/transpose.ts'
import { compareScores, type ScoreComparison } from '../music/model/comparison.ts'
import { identify } from '../music/model/uuids.ts'
import { asWritten } from '../music/timeline/playback-options.ts'
import { timelineOf } from '../music/timeline/timeline.ts'
import type { EngineExport, ExportOptions, PreparedExport, ServerExport } from './engine-format.ts'
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
  /** What was changed in a faulty file. */
  warnings: Repair[]
}

/** Stored documents in the JSON form that a score is read on top of. */
export interface EarlierDocuments {
  /** The revision before. Parts and measures keep its uuids where the music is the same, and its notes are compared. */
  previous?: string | undefined
  /** The template whose notes must stay. */
  template?: string | undefined
}

/** A stored score: its document in the JSON form, and the uuids of the parts to export. Without `parts`, all of them. */
export interface StoredScore {
  json: string
  parts?: readonly string[] | undefined
  /** The pitches to export, instead of those of the score. */
  pitches?: PitchSetting | undefined
  /** Whether chord symbols are played, in an export that sounds. */
  chords?: boolean | undefined
}

/** The functions of our own code on scores. They are pure and may take seconds, so they run in threads. */
export interface ScoreWork {
  /**
   * Reads a file with our own reader.
   * @throws TEMPLATE_LOCKED when a note of the template was changed or removed, and the errors of the format
   */
  read(format: string, bytes: Uint8Array, earlier: EarlierDocuments): Promise<ReadContent>
  /**
   * Changes the credits of a stored score.
   * @returns the document in the JSON form; unchanged if it would exceed the limits of documents
   */
  changeCredits(json: string, change: CreditChange): Promise<string>
  /** Compares two stored scores, in the JSON form. */
  compare(before: string, after: string): Promise<ScoreComparison>
  /** Writes a file with our own writer. */
  write(format: string, score: StoredScore): Promise<Uint8Array>
  /** Makes the job of an export by an engine. */
  prepareExport(format: string, score: StoredScore, options: ExportOptions): Promise<PreparedExport>
}

/** @param formats the registry in which the work looks up readers and writers */
export function createScoreWork(formats: FormatRegistry): ScoreWork {
  const exports = exportsOf(formats)
  return {
    async read(format, bytes, earlier) {
      const read = formats[format]?.read
      if (read === undefined) throw new Error(`no reader of ours for ${format}`)
      const repairs = createRepairs()
      return { ...contentOf(await read(bytes, repairs), earlier), warnings: warningsOf(repairs) }
    },
    async changeCredits(json, change) {
      const changed = withCredits(readOwnJson(json), change)
      return documentFault(changed, json.length) === undefined ? writeJson(changed) : json
    },
    async compare(before, after) {
      return compareScores(readOwnJson(before), readOwnJson(after))
    },
    async write(format, score) {
      const write = exports.get(format)?.write
      if (typeof write !== 'function') throw new Error(`no writer of ours for ${format}`)
      return write(selectedDocument(score), { chords: score.chords })
    },
    async prepareExport(format, score, options) {
      return exportOf(exports, format).prepare(selectedDocument(score), options)
    },
  }
}

function exportOf(exports: ReadonlyMap<string, ServerExport>, format: string): EngineExport {
  const write = exports.get(format)?.write
  if (typeof write !== 'object') throw new Error(`no engine exports ${format}`)
  return write
}

function warningsOf({ list, count }: Repairs): Repair[] {
  const more = count - list.length
  return more === 0 ? [...list] : [...list, { line: null, message: `${more} more faults were repaired.` }]
}

function contentOf(
  document: ScoreDocument,
  { previous, template }: EarlierDocuments,
): Omit<ReadContent, 'warnings'> {
  const fault = document.isChecked ? undefined : documentFault(document)
  if (fault !== undefined) fail('INVALID_SCORE', { message: `${fault}.` })
  const before = previous === undefined ? undefined : readOwnJson(previous)
  identify(document, randomUUID, before)
  if (template !== undefined)
    checkTemplate(template === previous && before ? before : readOwnJson(template), document)
  return {
    json: writeJson(document),
    facts: factsOf(document),
    partUuids: partUuidsOf(document),
    durationTime: timelineOf(document, asWritten).durationSeconds,
    statistics: compareNotes(before, document),
  }
}

const maxNamedMeasures = 20

/** @throws TEMPLATE_LOCKED */
function checkTemplate(template: ScoreDocument, document: ScoreDocument): void {
  const changed = changedTemplateMeasures(template, document)
  if (changed.length === 0) return
  const named = changed.slice(0, maxNamedMeasures).join(', ')
  const measures = changed.length > maxNamedMeasures ? `${named} and more` : named
  const noun = changed.length === 1 ? 'measure' : 'measures'
  const message = `The notes of the template are locked, but some are missing or changed in ${noun} ${measures}.`
  fail('TEMPLATE_LOCKED', { param: 'data', message })
}

function selectedDocument({ json, parts, pitches }: StoredScore): ScoreDocument {
  const stored = readOwnJson(json)
  // All parts decide on the spelling, so that one of them has the same one alone and with the others.
  const document = pitches ? withPitches(stored, pitches) : stored
  return parts ? selectParts(document, parts) : document
}
