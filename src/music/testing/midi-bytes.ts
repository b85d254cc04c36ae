/** A message and its time, in ticks from the start of its track. */
export type TimedMessage = [tick: number, ...bytes: number[]]

/** The note-on and note-off of a note, by default a quarter note of 480 ticks. */
export function midiNote(
  tick: number,
  key: number,
  { length = 480, velocity = 80, channel = 0 } = {},
): TimedMessage[] {
  return [
    [tick, 0x90 | channel, key, velocity],
    [tick + length, 0x80 | channel, key, 64],
  ]
}

/** A meta event with a text. */
export function midiText(tick: number, type: number, text: string): TimedMessage {
  const bytes = new TextEncoder().encode(text)
  return [tick, 0xff, type, bytes.length, ...bytes]
}

export function midiTempo(tick: number, quartersPerMinute: number): TimedMessage {
  const microseconds = Math.round(60e6 / quartersPerMinute)
  return [tick, 0xff, 0x51, 3, microseconds >> 16, (microseconds >> 8) & 0xff, microseconds & 0xff]
}

/** A Standard MIDI File; messages are put into the order of time, those of the same time stay in theirs. */
export function midiBytes(
  tracks: readonly TimedMessage[][],
  { format = 1, division = 480 }: { format?: number; division?: number } = {},
): Uint8Array {
  return Uint8Array.from([
    ...ascii('MThd'),
    ...[0, 0, 0, 6, 0, format, 0, tracks.length, division >> 8, division & 0xff],
    ...tracks.flatMap(trackChunk),
  ])
}

function trackChunk(messages: readonly TimedMessage[]): number[] {
  let now = 0
  const events = messages
    .toSorted(([a], [b]) => a - b)
    .flatMap(([tick, ...bytes]) => {
      const delta = tick - now
      now = tick
      return [...variableLength(delta), ...bytes]
    })
  const content = [...events, 0, 0xff, 0x2f, 0]
  return [...ascii('MTrk'), ...[24, 16, 8, 0].map((shift) => (content.length >> shift) & 0xff), ...content]
}

function variableLength(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
