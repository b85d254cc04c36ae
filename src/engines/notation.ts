import { Failure, fail } from '../errors.ts'
import { formatNames, type ScoreFormat, sniffFormat } from '../music/sniff.ts'
import type { AudioJob } from './audio.child.ts'
import { createPool } from './pool.ts'
import { createScoreThreads } from './score-threads.ts'
import type { ReadContent, ReadableFormat, StoredScore, WrittenFormat } from './score-work.ts'
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
  /** Finishes what was begun and ends all processes and threads. */
  close(): Promise<void>
}

/** A stored score, and which page of it. */
export interface WantedScore extends StoredScore {
  page?: number | undefined
}

export interface NotationOptions {
  /** Processes of each kind of engine. */
  processes: number
}

const readable: readonly ScoreFormat[] = ['musicxml', 'mxl', 'midi', 'json']
/** A big score takes a while, and others want to go on meanwhile. */
const threadCount = 2

/** Makes the notation; no process or thread is started yet. */
export function createNotation({ processes }: NotationOptions): Notation {
  const threads = createScoreThreads({ threads: threadCount })
  const engraving = createPool<EngravingJob, EngravingAnswers[keyof EngravingAnswers]>({
    module: new URL('./webmscore.child.ts', import.meta.url),
    size: processes,
  })
  const audio = createPool<AudioJob, Uint8Array>({
    module: new URL('./audio.child.ts', import.meta.url),
    size: processes,
  })

  async function engrave<To extends EngravingJob['to']>(job: EngravingJob & { to: To }) {
    return (await engraving.run(job)) as EngravingAnswers[To]
  }

  async function readMidi(bytes: Uint8Array, previous: string | undefined): Promise<ReadContent> {
    const { midi, ...prepared } = await threads.perform('prepareForImport', bytes)
    try {
      const xml = await engrave({ to: 'musicxml', midi })
      return await threads.perform('readImported', xml, prepared, previous)
    } catch (cause) {
      if (!(cause instanceof Failure) || cause.code === 'ENGINE_UNAVAILABLE') throw cause
      const message =
        cause.code === 'PAYLOAD_TOO_LARGE'
          ? 'The MIDI file has too many notes for one score.'
          : 'The MIDI file cannot be made into notation.'
      throw new Failure('INVALID_MIDI', { message, cause })
    }
  }

  /** Doubles what is engraved until it fills the picture, which it nearly always does at once. */
  async function thumbnail(score: StoredScore): Promise<Uint8Array> {
    for (let stretch = 1; ; stretch *= 2) {
      const { xml, isWhole } = await threads.perform('writeOpening', score, stretch)
      const { png, filled } = await engrave({ to: 'thumbnail', xml })
      if (filled || isWhole) return png
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
        return { format, ...(await threads.perform('readContent', bytes, format, previous)) }
      default:
        return refuse(format)
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
        return engrave({ to: 'svg', xml: await threads.perform('writeForEngraving', score), page })
      case 'pdf':
        return engrave({ to: 'pdf', xml: await threads.perform('writeForEngraving', score) })
      case 'thumbnail.png':
        return thumbnail(score)
      case 'mp3':
      case 'wav':
        return audio.run({ to: format, midi: await threads.perform('writeContent', score, 'midi') }, { report })
      default:
        return threads.perform('writeContent', score, format)
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
      await Promise.allSettled(begun)
      await Promise.all([threads.close(), engraving.close(), audio.close()])
    },
  }
}

function refuse(format: ScoreFormat | undefined): never {
  const accepted = readable.map((name) => formatNames[name]).join(', ')
  if (format === undefined) {
    fail('UNKNOWN_FORMAT', { message: `The file is in no score format that is known. Accepted are ${accepted}.` })
  }
  return fail('FORMAT_NOT_SUPPORTED', {
    message: `The file is in ${formatNames[format]}, which cannot be read yet. Accepted are ${accepted}.`,
  })
}
