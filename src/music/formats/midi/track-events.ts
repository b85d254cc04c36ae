/** What happens in a track. `offset` is that of the first data byte, for messages. */
export interface TrackHandler {
  /** A channel message: status with channel, and one or two data bytes. */
  message(tick: number, status: number, first: number, second: number, offset: number): void
  meta(tick: number, type: number, content: Uint8Array, offset: number): void
}

/** How the events of a track end. */
export interface TrackEnd {
  /** The byte after the last event that was read. */
  readonly offset: number
  /** The track has an end-of-track event. */
  readonly isComplete: boolean
  /** The event that cannot be read. The events before it were. */
  readonly fault: { readonly problem: string; readonly offset: number } | undefined
}

const END_OF_TRACK = 0x2f

/** Thrown and caught within this file. */
class Fault extends Error {
  readonly offset: number
  constructor(problem: string, offset: number) {
    super(problem)
    this.offset = offset
  }
}

/**
 * Reads the events of a track up to its end-of-track event, the limit, or the first event that cannot be read
 * (Standard MIDI Files 1.0). A running status continues after meta and system exclusive events, which the
 * specification forbids and some programs write.
 * @param start the byte after the length of the chunk
 * @param limit the byte at which the track ends at the latest
 */
export function readTrackEvents(
  bytes: Uint8Array,
  start: number,
  limit: number,
  handler: TrackHandler,
): TrackEnd {
  let offset = start
  let complete = start
  let tick = 0
  let status = 0

  function next(): number {
    if (offset >= limit) throw new Fault('ends within an event', offset)
    return bytes[offset++] as number
  }
  /** A variable-length quantity of at most four bytes. */
  function quantity(): number {
    const first = offset
    let value = 0
    for (let length = 0; length < 4; length++) {
      const byte = next()
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
    throw new Fault('has a number of more than four bytes', first)
  }
  function block(length: number): Uint8Array {
    if (offset + length > limit) throw new Fault('ends within an event', limit)
    offset += length
    return bytes.subarray(offset - length, offset)
  }
  function dataByte(): number {
    const byte = next()
    if (byte >= 0x80) throw new Fault('has a data byte with its highest bit set', offset - 1)
    return byte
  }

  /** Returns true after the end-of-track event. */
  function event(): boolean {
    tick += quantity()
    const lead = next()
    if (lead === 0xff) {
      const type = next()
      const content = block(quantity())
      if (type === END_OF_TRACK) return true
      handler.meta(tick, type, content, offset - content.length)
      return false
    }
    if (lead === 0xf0 || lead === 0xf7) {
      block(quantity())
      return false
    }
    if (lead >= 0xf0) throw new Fault('has an event that the standard forbids', offset - 1)
    if (lead >= 0x80) status = lead
    else offset -= 1
    if (status === 0) throw new Fault('has an event with no status', offset)
    const at = offset
    const first = dataByte()
    const kind = status >> 4
    handler.message(tick, status, first, kind === 0xc || kind === 0xd ? 0 : dataByte(), at)
    return false
  }

  try {
    while (offset < limit) {
      const isComplete = event()
      complete = offset
      if (isComplete) return { offset, isComplete, fault: undefined }
    }
    return { offset, isComplete: false, fault: undefined }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const fault = { problem: error.message, offset: error.offset }
    return { offset: complete, isComplete: false, fault }
  }
}
