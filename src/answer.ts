import { Readable } from 'node:stream'
import type { BlobBody } from './platform/blobs/blob-store.ts'
import type { OpenRecording } from './platform/recordings/recording-files.ts'

/** Cursors of the neighbouring pages of a list, for the `Link` header. */
export interface PageCursors {
  next?: string | undefined
  previous?: string | undefined
}

/** A response of an operation with a status, headers or page cursors of its own, not only a body. */
export class Answer<Body = unknown> {
  readonly body: Body
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly cursors: PageCursors

  constructor(
    body: Body,
    rest: { status?: number; headers?: Record<string, string>; cursors?: PageCursors } = {},
  ) {
    this.body = body
    this.status = rest.status
    this.headers = rest.headers ?? {}
    this.cursors = rest.cursors ?? {}
  }
}

/** A response of bytes instead of JSON. The length of a stream is not known in advance. */
export class File {
  readonly body: BlobBody | { readonly stream: Readable }
  readonly mediaType: string
  /** File name for the `Content-Disposition` header. Without a name the browser shows the file inline. */
  readonly name: string | undefined
  /** The hash of the bytes, if it is known, for the `ETag` header. */
  readonly hash: string | undefined
  /** Set if clients can ask for a part of the file (`Range`): reads the bytes between two positions, both inclusive. */
  readonly ranges: Ranges | undefined

  constructor(body: File['body'], mediaType: string, name?: string, hash?: string, ranges?: Ranges) {
    this.body = body
    this.mediaType = mediaType
    this.name = name
    this.hash = hash
    this.ranges = ranges
  }
}

interface Ranges {
  /** Number of bytes of the file. */
  readonly size: number
  read(start: number, end: number): Readable
}

/** Returns a recording as a file that browsers play in the page and of which clients can ask for a part. */
export function recordingFile(id: string, recording: OpenRecording): File {
  // What is read depends on the request.
  return new File({ stream: Readable.from([]) }, recording.mediaType, undefined, id, recording)
}
