import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure, fail } from '../errors.ts'
import { formatNames, type ScoreFormat, sniffFormat } from '../music/sniff.ts'
import type { AudioJob } from './audio.child.ts'
import { HostError } from './host.ts'
import { createPool, type Pool } from './pool.ts'
import { processHost } from './process-host.ts'
import type { ScoreJob, ScoreWork } from './score.worker.ts'
import type { ReadableFormat, ReadContent, StoredScore, WrittenFormat } from './score-work.ts'
import { threadHost } from './thread-host.ts'
import type { EngravingAnswers, EngravingJob } from './webmscore.child.ts'

/** What a score can be had in. `svg` is one page. */
export type ExportFormat = WrittenFormat | 'svg' | 'pdf' | 'thumbnail.png' | 'mp3' | 'wav'

/** A file that was read, as everything else knows a score. */
export interface ReadScore extends ReadContent {
  /** What its content showed it to be in. */
  format: ReadableFormat | 'midi'
}

/** Everything that scores are read from and written to, without a wait in the server's own process. */
export interface Notation {
  /**
   * Reads a file in any accepted format; the format is told by the content.
   * Fails with UNKNOWN_FORMAT, FORMAT_NOT_SUPPORTED, INVALID_MUSICXML, INVALID_ARCHIVE, INVALID_SCORE_JSON or
   * INVALID_MIDI (what is wrong and where), PAYLOAD_TOO_LARGE, or ENGINE_UNAVAILABLE.
   * @param file.previous the document of the revision before, whose uuids stay where the music does, and with which
   * the notes are compared
   */
  read(file: { bytes: Uint8Array; previous?: string | undefined }): Promise<ReadScore>
  /**
   * Makes a file of a score.
   * Fails with INVALID_PARAMETER for an unknown part or page, SCORE_TOO_LONG (mp3 above an hour, wav above 20 minutes),
   * SCORE_NOT_RENDERABLE when an engine breaks on this very score, or ENGINE_UNAVAILABLE when it takes over a minute.
   * @param score.page of an `svg`, from 1, which is also what it is without
   * @param report is told percents on the way of mp3 and wav
   */
  write(score: WantedScore, format: ExportFormat, report?: (percent: number) => void): Promise<Uint8Array>
  /** Starts the engines; without it they start when they are first needed. */
  warm(): Promise<void>
  /** Gives what was begun a moment to finish, breaks off what has not (ENGINE_UNAVAILABLE), and ends all processes. */
  close(): Promise<void>
}

/** A stored score, and which page of it. */
export interface WantedScore extends StoredScore {
  page?: number | undefined
}

export interface NotationOptions {
  /** Processes of each kind of engine. */
  processes: number
  /** Milliseconds for what is still on its way at a stop, after the server and the jobs have had their time. */
  grace?: number
}

const readable: readonly ScoreFormat[] = ['musicxml', 'mxl', 'midi', 'json']
/** A big score takes a while, and others want to go on meanwhile. */
const threadCount = 2
/** MiB of JavaScript; the largest score that may be, and the one before it to compare with, take about half of it. */
const threadHeap = 512
/** Milliseconds without work. */
const threadIdleLimit = 60_000

/** Of music. A WAV file of 20 minutes has 212 MB, an MP3 of an hour 72 MB. */
const mostSeconds = { mp3: 60 * 60, wav: 20 * 60 }
/** Bytes that an engine may have resident; at half of that it is replaced between two jobs. */
const engineMemory = 1024 ** 3
/** Jobs of an engine: those that are in use leak. */
const engineJobs = 50

/** Makes the notation; no process or thread is started yet. */
export function createNotation({ processes, grace = 1000 }: NotationOptions): Notation {
  const threads = createPool<ScoreJob, unknown>({
    startHost: threadHost(new URL('./score.worker.ts', import.meta.url), threadHeap),
    size: threadCount,
    idleLimit: threadIdleLimit,
  })
  const engraving = enginePool<EngravingJob, EngravingAnswers[keyof EngravingAnswers]>('webmscore.child.ts', processes)
  const audio = enginePool<AudioJob, Uint8Array>('audio.child.ts', processes)
  const stopping = new AbortController()
  const { signal } = stopping
  // One for each piece of work on its way, which may be many.
  setMaxListeners(0, signal)

  /** Does a piece of work in a thread. */
  async function perform<Name extends keyof ScoreWork>(name: Name, ...parameters: Parameters<ScoreWork[Name]>) {
    try {
      return (await threads.run({ name, parameters }, { signal })) as Awaited<ReturnType<ScoreWork[Name]>>
    } catch (cause) {
      if (!(cause instanceof HostError && cause.isOutOfMemory)) throw cause
      throw new Failure('PAYLOAD_TOO_LARGE', { message: 'The score needs more memory than it may have.', cause })
    }
  }

  async function engrave<To extends EngravingJob['to']>(job: EngravingJob & { to: To }) {
    return (await engraving.run(job, { signal }).catch(blameScore)) as EngravingAnswers[To]
  }

  async function readMidi(bytes: Uint8Array, previous: string | undefined): Promise<ReadContent> {
    const { midi, remainder } = await perform('prepareForImport', bytes)
    try {
      const xml = await engrave({ to: 'musicxml', midi })
      return await perform('readImported', xml, remainder, previous)
    } catch (cause) {
      if (!(cause instanceof Failure) || cause.code === 'ENGINE_UNAVAILABLE') throw cause
      const message =
        cause.code === 'PAYLOAD_TOO_LARGE'
          ? 'The MIDI file has too many notes for one score.'
          : 'The MIDI file cannot be made into notation.'
      throw new Failure('INVALID_MIDI', { message, cause })
    }
  }

  /**
   * Engraves the opening, and twice as much as long as that does not fill the picture, which it nearly always does.
   * Where a score is cut may also be just what the engine breaks on.
   */
  async function thumbnail(score: StoredScore): Promise<Uint8Array> {
    for (let stretch = 1; ; stretch *= 2) {
      const { xml, isWhole } = await perform('writeOpening', score, stretch)
      const picture = await engrave({ to: 'thumbnail', xml }).catch((error) => {
        if (isWhole || !(error instanceof Failure) || error.code !== 'SCORE_NOT_RENDERABLE') throw error
      })
      if (picture && (picture.filled || isWhole)) return picture.png
    }
  }

  async function read(bytes: Uint8Array, previous: string | undefined): Promise<ReadScore> {
    const format = sniffFormat(bytes)
    switch (format) {
      case 'midi':
        return { format, ...(await readMidi(bytes, previous)) }
      case 'musicxml':
      case 'mxl':
      case 'json':
        return { format, ...(await perform('readContent', bytes, format, previous)) }
      default:
        return refuse(format, bytes.length === 0)
    }
  }

  async function write(
    { json, parts, page = 1 }: WantedScore,
    format: ExportFormat,
    report?: (percent: number) => void,
  ) {
    const score = { json, parts }
    switch (format) {
      case 'svg':
        return engrave({ to: 'svg', xml: await perform('writeForEngraving', score), page })
      case 'pdf':
        return engrave({ to: 'pdf', xml: await perform('writeForEngraving', score) })
      case 'thumbnail.png':
        return thumbnail(score)
      case 'mp3':
      case 'wav': {
        const music = await perform('writeForPerforming', score, mostSeconds[format])
        return audio.run({ to: format, ...music }, { report, signal }).catch(blameScore)
      }
      default:
        return perform('writeContent', score, format)
    }
  }

  const begun = new Set<Promise<unknown>>()
  let closed = false

  /** Keeps in mind what is on its way, which may need threads and engines in turn. */
  async function finishing<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
    const work = begin()
    begun.add(work)
    try {
      return await work
    } finally {
      begun.delete(work)
    }
  }

  return {
    read: ({ bytes, previous }) => finishing(() => read(bytes, previous)),
    write: (score, format, report) => finishing(() => write(score, format, report)),
    async warm() {
      await Promise.all([engraving.warm(), audio.warm()])
    },
    async close() {
      closed = true
      await Promise.race([Promise.allSettled(begun), delay(grace, undefined, { ref: false })])
      stopping.abort(new Failure('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' }))
      await Promise.allSettled(begun)
      await Promise.all([threads.close(), engraving.close(), audio.close()])
    },
  }
}

function enginePool<Job, Answer>(module: string, size: number): Pool<Job, Answer> {
  return createPool({
    startHost: processHost(new URL(module, import.meta.url), engineMemory),
    size,
    recycleAfter: engineJobs,
    recycleAbove: engineMemory / 2,
  })
}

/** An engine that breaks on a job when it is fresh does so every time. */
function blameScore(cause: unknown): never {
  throw cause instanceof HostError ? new Failure('SCORE_NOT_RENDERABLE', { cause }) : cause
}

function refuse(format: ScoreFormat | undefined, isEmpty: boolean): never {
  const accepted = readable.map((name) => formatNames[name]).join(', ')
  if (format === undefined) {
    const what = isEmpty ? 'is empty' : 'is in no score format that is known'
    fail('UNKNOWN_FORMAT', { message: `The file ${what}. Accepted are ${accepted}.` })
  }
  return fail('FORMAT_NOT_SUPPORTED', {
    message: `The file is in ${formatNames[format]}, which cannot be read yet. Accepted are ${accepted}.`,
  })
}
