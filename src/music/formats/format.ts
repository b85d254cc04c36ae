import type { ScoreDocument } from '../model/document.ts'
import type { PlaybackOptions } from '../timeline/playback-options.ts'
import type { FileStart } from './file-start.ts'
import type { Repairs } from './repairs.ts'

/**
 * A format of scores, as far as our own code knows it. A format without `read` and `export` is only recognized, so that
 * the message of a refusal can name it.
 */
export interface Format extends Sniffable {
  /**
   * Reads a file, and adds what it had to change in a faulty one to `repairs`. The document need not be checked: one that `documentFault` finds wrong is refused with INVALID_SCORE.
   * @throws Failure with a code that says what is wrong with the file
   */
  read?(bytes: Uint8Array, repairs: Repairs): ScoreDocument | Promise<ScoreDocument>
  /** How scores are exported in this format. */
  readonly export?: ExportFile & {
    /** `playback` says what is heard in a format that sounds. */
    write(document: ScoreDocument, playback?: PlaybackOptions): Uint8Array | Promise<Uint8Array>
  }
}

/** How the format of a file is found. */
export interface Sniffable {
  /** Continues the sentence “The file is in …”: a name, or words in lower case with their article. */
  readonly title: string
  /** Returns true if the content shows that the file is in this format. Export formats need no sniffer. */
  sniff?(file: FileStart): boolean
  /** The sniffer runs after all others, because it also accepts content of an unknown kind. */
  readonly isFallback?: boolean
}

/** The properties of an exported file that clients see. */
export interface ExportFile {
  /** The name of the format in requests. */
  readonly name: string
  readonly mediaType: string
  /** The file name extension, without the dot. */
  readonly extension: string
}

/**
 * Defines a format. The type of the result keeps the name of the export, which a variable of the type `Format` would lose:
 * then requests could not name it.
 */
export const format = <const Entry extends Format>(entry: Entry): Entry => entry
