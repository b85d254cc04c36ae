/** An event of a track. On the same tick, lower ranks come first. Events of equal rank keep their order. */
export interface MidiEvent {
  readonly tick: number
  readonly rank: number
  /** A status byte and its data. Running status is not used. */
  readonly bytes: Uint8Array | readonly number[]
}

/** The order of events on the same tick. */
export const ranks = { setUp: 0, noteOff: 1, control: 2, text: 3, noteOn: 4 } as const

/** The longest step between two events: a variable-length quantity has 28 bits. */
const LONGEST_STEP = 0x0f_ff_ff_ff

const utf8 = new TextEncoder()

/** A meta event (Standard MIDI Files 1.0): its type and its bytes, or its text in UTF-8. */
export function metaEvent(type: number, content: string | readonly number[]): Uint8Array {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content
  const length = variableLength(bytes.length)
  const event = new Uint8Array(2 + length.length + bytes.length)
  event.set([0xff, type, ...length])
  event.set(bytes, 2 + length.length)
  return event
}

/** Writes a whole MTrk chunk with its header. Sorts the events. The track ends at `endTick`. */
export function trackChunk(events: MidiEvent[], endTick: number): Uint8Array {
  events.sort((a, b) => a.tick - b.tick || a.rank - b.rank)
  const track = byteBuffer()
  track.add([0x4d, 0x54, 0x72, 0x6b, 0, 0, 0, 0])
  let now = 0
  const moveTo = (tick: number) => {
    for (; tick - now > LONGEST_STEP; now += LONGEST_STEP)
      track.add([...variableLength(LONGEST_STEP), ...emptyText])
    track.add(variableLength(Math.max(0, tick - now)))
    now = Math.max(now, tick)
  }
  for (const { tick, bytes } of events) {
    moveTo(tick)
    track.add(bytes)
  }
  moveTo(endTick)
  track.add(metaEvent(0x2f, []))
  const chunk = track.bytes()
  new DataView(chunk.buffer).setUint32(4, chunk.length - 8)
  return chunk
}

/** Concatenates the arrays. */
export function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    result.set(chunk, at)
    at += chunk.length
  }
  return result
}

/** An event without effect, for a silence that is too long for one delta time. */
const emptyText = metaEvent(0x01, '')

/**
 * A variable-length quantity: seven bits per byte, the most significant first, the high bit set in all but
 * the last byte.
 */
function variableLength(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

function byteBuffer() {
  let buffer = new Uint8Array(4096)
  let length = 0
  return {
    add(bytes: Uint8Array | readonly number[]): void {
      if (length + bytes.length > buffer.length) {
        const larger = new Uint8Array(Math.max(2 * buffer.length, length + bytes.length))
        larger.set(buffer)
        buffer = larger
      }
      buffer.set(bytes, length)
      length += bytes.length
    },
    bytes: (): Uint8Array<ArrayBuffer> => buffer.slice(0, length),
  }
}
