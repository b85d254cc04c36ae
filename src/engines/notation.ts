import { setTimeout as delay } from 'node:timers/promises'
import { Failure, fail } from '../errors.ts'
import { growingFile } from '../lib/growing-file.ts'
import type { Waiters } from '../lib/shared-runs.ts'
import { fileStartOf } from '../music/formats/file-start.ts'
import { sniffFormat } from '../music/formats/sniff.ts'
import { LARGE_SCORE } from '../music/model/limits.ts'
import type { ScoreComparison } from '../music/model/comparison.ts'
import type { CreditChange } from '../music/model/write-credits.ts'
import type {
  EngineExport,
  EngineJobs,
  EngineName,
  RenderedFile,
  ServerFormat,
  WorkLoad,
} from './engine-format.ts'
import { type ExportFormat, exportFormats, type FormatName, formats, importTitles } from './formats.ts'
import { HostError } from './hosts/host.ts'
import type { FilePart, StartHost } from './hosts/host.ts'
import { createPool, type Pool, type PoolStats } from './hosts/pool.ts'
import { processHost } from './hosts/process-host.ts'
import { threadHost } from './hosts/thread-host.ts'
import type { ScoreJob } from './score.worker.ts'
import { packagedSoundFont, type SoundFont } from './audio/sound-font.ts'
import type { PageSetup } from './webmscore/page-setup.ts'
import { checkPage } from './webmscore/pages.ts'
import type { EarlierDocuments, ReadContent, ScoreWork, StoredScore } from './score-work.ts'

/** A score that was read from a file, and the format of the file. */
export interface ReadScore extends ReadContent {
  format: FormatName
}

/**
 * Reads and writes scores in threads and child processes, so that the server's own process never waits. Each read and write is
 * done for callers, who are served in turn. It is stopped, and rejects with the reason, when their signal is aborted.
 */
export interface Notation {
  /**
   * Reads a file in any accepted format. The content tells the format.
   * @throws UNKNOWN_FORMAT, FORMAT_NOT_SUPPORTED, the INVALID_… code of the format (saying what is wrong and where),
   * INVALID_SCORE, TEMPLATE_LOCKED, PAYLOAD_TOO_LARGE, SERVER_BUSY, ENGINE_TIMEOUT or ENGINE_UNAVAILABLE
   */
  read(file: ScoreFile, waiters: Waiters): Promise<ReadScore>
  /**
   * Changes the credits of a score, in its metadata and where they are printed.
   * @param json the document in the JSON form
   * @returns the new document in the JSON form
   * @throws SERVER_BUSY or ENGINE_UNAVAILABLE
   */
  changeCredits(json: string, change: CreditChange, waiters: Waiters): Promise<string>
  /**
   * Compares two revisions of a score.
   * @param before the earlier document in the JSON form
   * @throws PAYLOAD_TOO_LARGE, SERVER_BUSY or ENGINE_UNAVAILABLE
   */
  compare(before: string, after: string, waiters: Waiters): Promise<ScoreComparison>
  /**
   * Exports a score.
   * @param score.page the page of an `svg`, from 1; the first page by default
   * @param waiters.report receives the progress of an mp3 or wav, in percent
   * @throws INVALID_PARAMETER for an unknown part or page, SCORE_TOO_LONG (mp3 above an hour, wav above 20 minutes),
   * SCORE_NOT_RENDERABLE if an engine breaks on this score, ENGINE_TIMEOUT if it exceeds the time limit of the format,
   * SERVER_BUSY if too much work waits, or ENGINE_UNAVAILABLE
   */
  write(score: ExportedScore, format: ExportFormat, waiters: Waiters): Promise<Uint8Array>
  /** Starts the engines. Without this call, an engine starts when it is first needed. */
  warm(): Promise<void>
  /** The state of the threads, of the process for large scores, and of the processes of each engine. */
  stats(): Record<'threads' | 'largeScores' | EngineName, PoolStats>
  /**
   * Waits a moment for reads and writes to finish, aborts the rest with ENGINE_UNAVAILABLE, and ends all threads and
   * processes.
   */
  close(): Promise<void>
}

/** A file to read, and the documents of earlier revisions. */
export interface ScoreFile extends EarlierDocuments {
  bytes: Uint8Array
}

/** A stored score and, for an `svg`, the page to export, and for an `svg` or `pdf`, how it is set on pages. */
export interface ExportedScore extends StoredScore {
  page?: number | undefined
  setup?: PageSetup | undefined
  /** Receives the number of pages of an `svg`, even if the page does not exist, or of a `pdf`. */
  onPages?: ((pages: number) => void) | undefined
  /** Receives an mp3 or wav in parts while it is made. They can start again at offset 0, with the same bytes. */
  onPart?: ((part: FilePart) => void) | undefined
}

export interface NotationOptions {
  /** The maximum number of processes of each engine, without those that are reserved for short work. */
  processes: number
  /** The sound font of mp3 and wav. Default: the one that comes with Partita. */
  soundFont?: SoundFont
  /** Milliseconds that `close` waits for reads and writes. The server and the jobs have had their own time before. */
  grace?: number
}

/** One caller uses at most one of them, and two callers leave one to the others. */
const threadCount = 3
/** The JavaScript heap of a thread, in MiB. The largest score and the revision before it need about half of this. */
const threadHeap = 512
/** The JavaScript heap of the one process for large scores, in MiB. The largest score and the revision before it need about two thirds of it. */
const largeScoreHeap = 2560
/** Milliseconds without work after which a thread ends, and an engine beyond the first of its kind. */
const idleLimit = 60_000
/** Milliseconds after which another thread or engine is started while all have work. */
const spareAfter = 1000
/** Engraving engines beside those of `ENGINE_PROCESSES` that take only short work. */
const engravingReserve = 1

/**
 * Resident memory of an engine, in bytes. An engine above 60 % of it is replaced after its job. Audio has more for the sound
 * font, which each of its two players reads, and for its decoded samples.
 */
const engineMemory = 1024 ** 3
/** The size that doubles the cost of work on a score, in characters or bytes. */
const doublingSize = 100_000

/** Jobs after which an engine is replaced, because the engines leak memory. */
const engineJobs = 50

/** Creates the notation. Threads and processes start later, with `warm` or the first use. */
export function createNotation({
  processes,
  soundFont = packagedSoundFont,
  grace = 1000,
}: NotationOptions): Notation {
  const threads = scorePool(threadCount, threadHost(scoreWorker, threadHeap))
  const largeScores = scorePool(
    1,
    processHost(scoreWorker, { memory: 1.25 * largeScoreHeap * 1024 ** 2, heap: largeScoreHeap }),
  )
  const engines: Record<EngineName, EnginePool> = {
    webmscore: enginePool('./webmscore/webmscore.child.ts', processes, { reserved: engravingReserve }),
    audio: enginePool('./audio/audio.child.ts', processes, {
      options: [soundFont.path],
      memory: engineMemory + 4 * soundFont.size,
    }),
  }
  const stopping = new AbortController()

  /** Runs a function of `ScoreWork` in a thread, or for a large score in a process, which can end without the server. */
  async function perform<Name extends keyof ScoreWork>(
    { callers, signal, isPatient, size }: Work,
    name: Name,
    ...parameters: Parameters<ScoreWork[Name]>
  ) {
    try {
      const pool = size > LARGE_SCORE ? largeScores : threads
      const options = { callers, signal, isPatient, cost: costOf(1, size) }
      const answer = await pool.run({ name, parameters }, options)
      return answer as Awaited<ReturnType<ScoreWork[Name]>>
    } catch (cause) {
      if (!(cause instanceof HostError && cause.isOutOfMemory)) throw cause
      throw new Failure('PAYLOAD_TOO_LARGE', {
        message: 'The score needs more memory than allowed.',
        cause,
      })
    }
  }

  /** Runs the job of an export in an engine. */
  async function runEngine(
    { callers, signal, report, isPatient, size }: Work,
    name: EngineName,
    { weight, ...load }: WorkLoad,
    job: EngineJobs[EngineName],
    receive?: (part: FilePart) => void,
  ) {
    try {
      const options = { callers, signal, report, receive, isPatient, cost: costOf(weight, size), ...load }
      return await engines[name].run(job, options)
    } catch (cause) {
      // The pool has replaced the engine, so it would break again on the same job.
      throw cause instanceof HostError ? new Failure('SCORE_NOT_RENDERABLE', { cause }) : cause
    }
  }

  async function exportWithEngine(
    work: Work,
    { engine, load }: EngineExport,
    format: ExportFormat,
    { json, parts, pitches, chords, page = 1, setup, onPages, onPart }: ExportedScore,
  ): Promise<Uint8Array> {
    const inParts = growingFile()
    const receive = (part: FilePart) => {
      inParts.add(part.offset, part.bytes)
      onPart?.(part)
    }
    for (let attempt = 0; ; attempt++) {
      const options = { page, setup, chords, attempt }
      const { job, isLast, timeLimit } = await perform(
        work,
        'prepareExport',
        format,
        { json, parts, pitches },
        options,
      )
      const rendered = await runEngine(
        work,
        engine,
        { ...load, ...(timeLimit && { timeLimit }) },
        job,
        receive,
      ).catch((error) => {
        // The engine may break on the place where the score is cut, and only there.
        if (isLast || !(error instanceof Failure) || error.code !== 'SCORE_NOT_RENDERABLE') throw error
      })
      const { file, isFilled, pages } = (rendered ?? {}) as Partial<RenderedFile>
      if (pages !== undefined) {
        onPages?.(pages)
        if (format === 'svg') checkPage(page, pages)
      }
      if (isFilled || (file && isLast)) return file ?? inParts.bytes()
    }
  }

  async function read(work: Work, file: ScoreFile): Promise<ReadScore> {
    const { bytes, ...earlier } = file
    const format = sniffFormat(bytes, formats)
    const reader = format && formats[format].read
    if (!reader) return refuseFormat(format && formats[format], bytes.length === 0)
    return { format, ...(await perform(work, 'read', format, bytes, earlier)) }
  }

  async function write(work: Work, score: ExportedScore, format: ExportFormat): Promise<Uint8Array> {
    const { write: writer } = exportFormats[format]
    if (typeof writer !== 'function') return exportWithEngine(work, writer, format, score)
    return perform(work, 'write', format, {
      json: score.json,
      parts: score.parts,
      pitches: score.pitches,
      chords: score.chords,
    })
  }

  const running = new Set<Promise<unknown>>()
  let closed = false

  /** Notes the reads and writes in progress, which may still need threads and engines. */
  async function tracked<Result>(
    { callers, signal, report, isPatient }: Waiters,
    size: number,
    start: (work: Work) => Promise<Result>,
  ): Promise<Result> {
    if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
    const signals = signal ? [stopping.signal, signal] : [stopping.signal]
    const work = start({ callers, signal: AbortSignal.any(signals), report, isPatient, size })
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }

  return {
    read: (file, waiters) => tracked(waiters, sizeOf(file), (work) => read(work, file)),
    changeCredits: (json, change, waiters) =>
      tracked(waiters, json.length, async (work) => await perform(work, 'changeCredits', json, change)),
    compare: (before, after, waiters) =>
      tracked(
        waiters,
        Math.max(before.length, after.length),
        async (work) => await perform(work, 'compare', before, after),
      ),
    write: (score, format, waiters) =>
      tracked(waiters, score.json.length, (work) => write(work, score, format)),
    async warm() {
      await Promise.all(Object.values(engines).map((engine) => engine.warm()))
    },
    stats: () => ({
      threads: threads.stats(),
      largeScores: largeScores.stats(),
      webmscore: engines.webmscore.stats(),
      audio: engines.audio.stats(),
    }),
    async close() {
      closed = true
      await Promise.race([Promise.allSettled(running), delay(grace, undefined, { ref: false })])
      stopping.abort(new Failure('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' }))
      await Promise.allSettled(running)
      await Promise.all([threads, largeScores, ...Object.values(engines)].map((pool) => pool.close()))
    },
  }
}

/** A read or write in progress. */
interface Work extends Waiters {
  /** Aborted when the last waiter has left, or the server stops. */
  readonly signal: AbortSignal
  /** The size of the score, in characters or bytes. */
  readonly size: number
}

/** The characters or bytes of all that is parsed. */
const sizeOf = ({ bytes, previous = '', template = '' }: ScoreFile): number =>
  Math.max(fileStartOf(bytes).textSize, previous.length, template.length)

/** Large scores have a process of their own, so they count no more than one of the size at which they begin to be large. */
const costOf = (weight: number, size: number): number =>
  weight * (1 + Math.min(size, LARGE_SCORE) / doublingSize)

type EnginePool = Pool<EngineJobs[EngineName], RenderedFile>

const scoreWorker = new URL('./score.worker.ts', import.meta.url)

const scorePool = (size: number, startHost: StartHost): Pool<ScoreJob, unknown> =>
  createPool({ startHost, size, idleLimit, spareAfter })

function enginePool(
  module: string,
  size: number,
  {
    reserved = 0,
    options = [],
    memory = engineMemory,
  }: { reserved?: number; options?: string[]; memory?: number } = {},
): EnginePool {
  return createPool({
    startHost: processHost(new URL(module, import.meta.url), { memory, arguments: options }),
    size: size + reserved,
    reserved,
    idleLimit,
    kept: 1,
    spareAfter,
    recycleAfter: engineJobs,
    recycleAbove: 0.6 * memory,
  })
}

/** @param format the format of the file; undefined if it is unknown */
function refuseFormat(format: ServerFormat | undefined, isEmpty: boolean): never {
  const accepted = importTitles.join(', ')
  if (format === undefined) {
    const problem = isEmpty ? 'is empty' : 'is in no score format that is known'
    fail('UNKNOWN_FORMAT', { message: `The file ${problem}. Accepted are ${accepted}.` })
  }
  return fail('FORMAT_NOT_SUPPORTED', {
    message: `The file is in ${format.title}, which cannot be read yet. Accepted are ${accepted}.`,
  })
}
