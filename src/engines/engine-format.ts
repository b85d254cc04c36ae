import type { ErrorCode } from '../errors.ts'
import type { ExportFile, Format, Sniffable } from '../music/formats/format.ts'
import type { ScoreDocument } from '../music/model/document.ts'
import type { AudioJob } from './audio/audio.child.ts'
import type { EngravingJob } from './webmscore/webmscore.child.ts'

/** The engines, each in child processes, and the jobs that they do. */
export interface EngineJobs {
  webmscore: EngravingJob
  audio: AudioJob
}

export type EngineName = keyof EngineJobs

/** A format as the server knows it: our own code reads or writes it in a thread, or an engine does in a process. */
export interface ServerFormat extends Sniffable {
  /** A function is our own reader. An object says how an engine imports the format. */
  readonly read?: Format['read'] | EngineImport
  /** How scores are exported in this format. */
  readonly export?: ServerExport
}

/** What an export expects from an engine. */
export interface WorkLoad {
  /** The effort for a small score, compared with other work of the same engine. */
  readonly weight: number
  /** Milliseconds after which the engine is stopped. */
  readonly timeLimit: number
  /** A user watches the place where the result will appear, so one engine is kept free of longer work. */
  readonly isShort?: boolean
}

export interface ServerExport extends ExportFile {
  /** A function is our own writer. An object says how an engine makes the file. */
  readonly write: NonNullable<Format['export']>['write'] | EngineExport
}

/** Defines a format, as `format` of `src/music/formats/format.ts` does. */
export const serverFormat = <const Entry extends ServerFormat>(entry: Entry): Entry => entry

/** The import of a format that an engine turns into MusicXML. The functions run in a thread. */
export interface EngineImport {
  /** The engine that has a job `{ to: 'musicxml', from, file }`. */
  readonly engine: 'webmscore'
  /** The name that the engine has for the format. */
  readonly from: Extract<EngravingJob, { to: 'musicxml' }>['from']
  /**
   * Checks a file and makes the one that the engine gets. The remainder is what the engine would lose.
   * @throws Failure with a code that says what is wrong with the file
   */
  prepare(bytes: Uint8Array): { file: Uint8Array; remainder: unknown }
  /** The document of the engine's MusicXML, with the remainder added. */
  complete(xml: string, remainder: unknown): ScoreDocument
  /** The failure of a file that passed `prepare` and that the engine or `complete` cannot handle. */
  readonly failure: { readonly code: ErrorCode; readonly tooLarge: string; readonly unreadable: string }
}

/** The export of a format that an engine writes. */
export type EngineExport = {
  [Engine in EngineName]: {
    readonly engine: Engine
    readonly load: WorkLoad
    /**
     * Makes the job for the engine. Runs in a thread.
     * @throws SCORE_TOO_LONG if the format has a limit and the score is longer
     */
    prepare(document: ScoreDocument, options: ExportOptions): PreparedExport<EngineJobs[Engine]>
  }
}[EngineName]

export interface ExportOptions {
  /** Of an `svg`, from 1. */
  readonly page: number
  /** From 0; the next one begins if the file of the one before was not filled. */
  readonly attempt: number
}

export interface PreparedExport<Job = EngineJobs[EngineName]> {
  readonly job: Job
  /** A later attempt would give the engine no more of the score. */
  readonly isLast: boolean
}

/** The result of an export job: the file, and whether the part of the score in the job fills it. */
export interface RenderedFile {
  /** Undefined if the requested page does not exist. */
  readonly file: Uint8Array | undefined
  readonly isFilled: boolean
  /** The number of pages of the score, with an `svg`. */
  readonly pages?: number
}
