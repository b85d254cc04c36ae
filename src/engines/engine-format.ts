import type { ExportFile, Format, Sniffable } from '../music/formats/format.ts'
import type { ScoreDocument } from '../music/model/document.ts'
import type { AudioJob } from './audio/audio.child.ts'
import type { PageSetup } from './webmscore/page-setup.ts'
import type { EngravingJob } from './webmscore/webmscore.child.ts'

/** The engines, each in child processes, and the jobs that they do. */
export interface EngineJobs {
  webmscore: EngravingJob
  audio: AudioJob
}

export type EngineName = keyof EngineJobs

/** A format as the server knows it: our own code reads and writes it in a thread, or an engine writes it in a process. */
export interface ServerFormat extends Sniffable {
  readonly read?: Format['read']
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
  /** What the file depends on beside the score, as a short text. A stored file is made again if it has changed. */
  readonly version?: () => string
}

/** Defines a format, as `format` of `src/music/formats/format.ts` does. */
export const serverFormat = <const Entry extends ServerFormat>(entry: Entry): Entry => entry

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
  /** Of an `svg` or `pdf`. */
  readonly setup?: PageSetup | undefined
  /** Of sound: whether chord symbols are played. */
  readonly chords?: boolean | undefined
  /** From 0; the next one begins if the file of the one before was not filled. */
  readonly attempt: number
}

export interface PreparedExport<Job = EngineJobs[EngineName]> {
  readonly job: Job
  /** A later attempt would give the engine no more of the score. */
  readonly isLast: boolean
  /** Milliseconds after which the engine is stopped, if this score needs another limit than its format. */
  readonly timeLimit?: number
}

/** The result of an export job: the file, and whether the part of the score in the job fills it. */
export interface RenderedFile {
  /** Undefined if the requested page does not exist, or if the job has sent the file in parts. */
  readonly file: Uint8Array | undefined
  readonly isFilled: boolean
  /** The number of pages of the score, with an `svg` or a `pdf`. */
  readonly pages?: number
}
