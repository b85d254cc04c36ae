import { Readable } from 'node:stream'

/** A file that is read while it is made, by any number of readers. All of them get it from its beginning. */
export interface GrowingFile {
  /** Adds bytes. Bytes before the present end are the same as before, because the work was repeated, and count once. */
  add(offset: number, bytes: Uint8Array): void
  /** The bytes up to now. */
  bytes(): Buffer
  /**
   * Ends the file.
   * @param copy a stored copy of the whole file. The bytes in memory are released, and a reader that is not at the end yet gets
   * the rest from the copy.
   */
  end(copy?: StoredCopy): void
  /** Ends the file with an error, which all streams throw that have not ended. */
  fail(error: unknown): void
  /** Returns the file from its beginning. A slow reader delays neither the work nor other readers. */
  stream(): Readable
  /** Whether a stream has not ended. */
  hasReaders(): boolean
}

/** A copy of a whole file. */
export interface StoredCopy {
  open(): Promise<AsyncIterable<Uint8Array>>
  /** Called when all streams have ended. */
  release?(): void
}

/** Creates an empty file. */
export function growingFile(): GrowingFile {
  let parts: Uint8Array[] = []
  let size = 0
  let state: 'growing' | 'complete' | 'failed' = 'growing'
  let failure: unknown
  let copy: StoredCopy | undefined
  let readers = 0
  let changed = Promise.withResolvers<void>()

  function notify(): void {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }

  async function* read(): AsyncGenerator<Uint8Array, void> {
    let sent = 0
    for (let next = 0; !copy; ) {
      const part = parts[next]
      if (part) {
        next++
        sent += part.length
        yield part
      } else if (state === 'failed') throw failure
      else if (state === 'complete') return
      else await changed.promise
    }
    if (sent < size) yield* without(sent, await copy.open())
  }

  return {
    add(offset, bytes) {
      const known = size - offset
      if (known < 0) throw new RangeError(`The file has ${size} bytes, so none can follow at ${offset}`)
      if (known >= bytes.length) return
      parts.push(bytes.subarray(known))
      size += bytes.length - known
      notify()
    },
    bytes: () => Buffer.concat(parts),
    end(stored) {
      state = 'complete'
      copy = stored
      if (stored) parts = []
      notify()
      if (readers === 0) stored?.release?.()
    },
    fail(error) {
      if (state !== 'growing') return
      state = 'failed'
      failure = error
      notify()
    },
    stream() {
      readers++
      return Readable.from(read(), { objectMode: false }).once('close', () => {
        readers--
        if (readers === 0) copy?.release?.()
      })
    },
    hasReaders: () => readers > 0,
  }
}

/** Yields the bytes that follow the first `count` ones. */
async function* without(count: number, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = count
  for await (const part of parts) {
    if (left < part.length) yield part.subarray(left)
    left = Math.max(0, left - part.length)
  }
}
