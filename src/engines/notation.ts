import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure, fail } from '../errors.ts'
import { sniffFormat } from '../music/formats/sniff.ts'
import type { EngineImport, EngineJobs, EngineName, RenderedFile, ServerFormat } from './engine-format.ts'
import { type ExportFormat, exportFormats, type FormatName, type FormatRegistry, formats } from './formats.ts'
import { HostError } from './hosts/host.ts'
import { createPool, type Pool } from './hosts/pool.ts'
import { processHost } from './hosts/process-host.ts'
import { threadHost } from './hosts/thread-host.ts'
import type { ScoreJob } from './score.worker.ts'
import type { ReadContent, ScoreWork, StoredScore } from './score-work.ts'

/** A score that was read from a file, and the format of the file. */
export interface ReadScore extends ReadContent {
  format: FormatName
}

/** Reads and writes scores in threads and child processes, so that the server's own process never waits. */
export interface Notation {
  /**
   * Reads a file in any accepted format. The content tells the format.
   * @param file.previous the document of the revision before. Parts and measures keep its uuids where the music is the
   * same, and its notes are compared with the new ones.
   * @throws UNKNOWN_FORMAT, FORMAT_NOT_SUPPORTED, INVALID_MUSICXML, INVALID_ARCHIVE, INVALID_SCORE_JSON or INVALID_MIDI
   * (saying what is wrong and where), PAYLOAD_TOO_LARGE, or ENGINE_UNAVAILABLE
   */
  read(file: { bytes: Uint8Array; previous?: string | undefined }): Promise<ReadScore>
  /**
   * Exports a score.
   * @param score.page the page of an `svg`, from 1; the first page by default
   * @param report receives the progress of an mp3 or wav, in percent
   * @throws INVALID_PARAMETER for an unknown part or page, SCORE_TOO_LONG (mp3 above an hour, wav above 20 minutes),
   * SCORE_NOT_RENDERABLE if an engine breaks on this score, or ENGINE_UNAVAILABLE if the engine takes over a minute
   */
  write(score: ExportedScore, format: ExportFormat, report?: (percent: number) => void): Promise<Uint8Array>
  /** Starts the engines. Without this call, an engine starts when it is first needed. */
  warm(): Promise<void>
  /**
   * Waits a moment for reads and writes to finish, aborts the rest with ENGINE_UNAVAILABLE, and ends all threads and
   * processes.
   */
  close(): Promise<void>
}

/** A stored score and, for an `svg`, the page to export. */
export interface ExportedScore extends StoredScore {
  page?: number | undefined
}

export interface NotationOptions {
  /** The number of processes of each engine. */
  processes: number
  /** Milliseconds that `close` waits for reads and writes. The server and the jobs have had their own time before. */
  grace?: number
}

/** One large score must not stop the others. */
const threadCount = 2
/** The JavaScript heap of a thread, in MiB. The largest score and the revision before it need about half of this. */
const threadHeap = 512
/** Milliseconds without work after which a thread ends. */
const threadIdleLimit = 60_000

/** Resident memory of an engine, in bytes. An engine above half of it is replaced after its job. */
const engineMemory = 1024 ** 3
/** Jobs after which an engine is replaced, because the engines leak memory. */
const engineJobs = 50

/** Creates the notation. Threads and processes start later, with `warm` or the first use. */
export function createNotation({ processes, grace = 1000 }: NotationOptions): Notation {
  const threads = createPool<ScoreJob, unknown>({
    startHost: threadHost(new URL('./score.worker.ts', import.meta.url), threadHeap),
    size: threadCount,
    idleLimit: threadIdleLimit,
  })
  const engines: Record<EngineName, EnginePool> = {
    webmscore: enginePool('./webmscore/webmscore.child.ts', processes),
    audio: enginePool('./audio/audio.child.ts', processes),
  }
  const stopping = new AbortController()
  const { signal } = stopping
  // Each read and write in progress adds a listener.
  setMaxListeners(0, signal)

  /** Runs a function of `ScoreWork` in a thread. */
  async function perform<Name extends keyof ScoreWork>(
    name: Name,
    ...parameters: Parameters<ScoreWork[Name]>
  ) {
    try {
      return (await threads.run({ name, parameters }, { signal })) as Awaited<ReturnType<ScoreWork[Name]>>
    } catch (cause) {
      if (!(cause instanceof HostError && cause.isOutOfMemory)) throw cause
      throw new Failure('PAYLOAD_TOO_LARGE', {
        message: 'The score needs more memory than allowed.',
        cause,
      })
    }
  }

  /** Runs a job of an import or export in an engine. */
  async function runEngine(name: EngineName, job: EngineJobs[EngineName], report?: Report) {
    try {
      return await engines[name].run(job, { report, signal })
    } catch (cause) {
      // The pool has replaced the engine, so it would break again on the same job.
      throw cause instanceof HostError ? new Failure('SCORE_NOT_RENDERABLE', { cause }) : cause
    }
  }

  async function importWithEngine(
    format: FormatName,
    { engine, from, failure }: EngineImport,
    bytes: Uint8Array,
    previous: string | undefined,
  ): Promise<ReadContent> {
    const { file, remainder } = await perform('prepareImport', format, bytes)
    try {
      const xml = (await runEngine(engine, { to: 'musicxml', from, file })) as string
      return await perform('completeImport', format, xml, remainder, previous)
    } catch (cause) {
      if (!(cause instanceof Failure) || cause.code === 'ENGINE_UNAVAILABLE') throw cause
      const message = cause.code === 'PAYLOAD_TOO_LARGE' ? failure.tooLarge : failure.unreadable
      throw new Failure(failure.code, { message, cause })
    }
  }

  async function exportWithEngine(
    engine: EngineName,
    format: ExportFormat,
    { json, parts, page = 1 }: ExportedScore,
    report: Report | undefined,
  ): Promise<Uint8Array> {
    for (let attempt = 0; ; attempt++) {
      const { job, isLast } = await perform('prepareExport', format, { json, parts }, { page, attempt })
      const rendered = await runEngine(engine, job, report).catch((error) => {
        // The engine may break on the place where the score is cut, and only there.
        if (isLast || !(error instanceof Failure) || error.code !== 'SCORE_NOT_RENDERABLE') throw error
      })
      const { file, isFilled } = (rendered ?? {}) as Partial<RenderedFile>
      if (file && (isFilled || isLast)) return file
    }
  }

  async function read(bytes: Uint8Array, previous: string | undefined): Promise<ReadScore> {
    const format = sniffFormat(bytes, formats)
    const reader = format && formats[format].read
    if (!reader) return refuseFormat(format && formats[format], bytes.length === 0)
    const content =
      typeof reader === 'function'
        ? await perform('read', format, bytes, previous)
        : await importWithEngine(format, reader, bytes, previous)
    return { format, ...content }
  }

  async function write(score: ExportedScore, format: ExportFormat, report?: Report): Promise<Uint8Array> {
    const { write: writer } = exportFormats[format]
    if (typeof writer !== 'function') return exportWithEngine(writer.engine, format, score, report)
    return perform('write', format, { json: score.json, parts: score.parts })
  }

  const running = new Set<Promise<unknown>>()
  let closed = false

  /** Notes the reads and writes in progress, which may still need threads and engines. */
  async function tracked<Result>(start: () => Promise<Result>): Promise<Result> {
    if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
    const work = start()
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }

  return {
    read: ({ bytes, previous }) => tracked(() => read(bytes, previous)),
    write: (score, format, report) => tracked(() => write(score, format, report)),
    async warm() {
      await Promise.all(Object.values(engines).map((engine) => engine.warm()))
    },
    async close() {
      closed = true
      await Promise.race([Promise.allSettled(running), delay(grace, undefined, { ref: false })])
      stopping.abort(new Failure('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' }))
      await Promise.allSettled(running)
      await Promise.all([threads, ...Object.values(engines)].map((pool) => pool.close()))
    },
  }
}

type Report = (percent: number) => void

/** An import answers with MusicXML, an export with a file. */
type EnginePool = Pool<EngineJobs[EngineName], string | RenderedFile>

function enginePool(module: string, size: number): EnginePool {
  return createPool({
    startHost: processHost(new URL(module, import.meta.url), engineMemory),
    size,
    recycleAfter: engineJobs,
    recycleAbove: engineMemory / 2,
  })
}

/** @param format the format of the file; undefined if it is unknown */
function refuseFormat(format: ServerFormat | undefined, isEmpty: boolean): never {
  const accepted = acceptedTitles(formats).join(', ')
  if (format === undefined) {
    const problem = isEmpty ? 'is empty' : 'is in no score format that is known'
    fail('UNKNOWN_FORMAT', { message: `The file ${problem}. Accepted are ${accepted}.` })
  }
  return fail('FORMAT_NOT_SUPPORTED', {
    message: `The file is in ${format.title}, which cannot be read yet. Accepted are ${accepted}.`,
  })
}

function acceptedTitles(entries: FormatRegistry): string[] {
  return Object.values(entries).flatMap(({ read, title }) => (read ? title : []))
}
