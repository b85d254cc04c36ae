/** A note of a MIDI file: a note-on and the first note-off of its key and channel after it. */
export interface ParsedNote {
  readonly track: number
  readonly channel: number
  readonly key: number
  readonly velocity: number
  readonly start: number
  readonly end: number
}

export interface ParsedMeta {
  readonly track: number
  readonly tick: number
  readonly type: number
  readonly data: Uint8Array
}

export interface ParsedMessage {
  readonly track: number
  readonly tick: number
  readonly bytes: readonly number[]
}

export interface ParsedMidi {
  readonly format: number
  readonly division: number
  readonly tracks: number
  readonly notes: readonly ParsedNote[]
  readonly metas: readonly ParsedMeta[]
  /** All channel messages but note-ons and note-offs. */
  readonly messages: readonly ParsedMessage[]
  /** Note-ons that never ended, and note-offs without a note-on. */
  readonly faults: readonly string[]
}

/**
 * Reads a Standard MIDI File by its specification, without code of the writer. Throws if the file is invalid.
 */
export function parseMidi(file: Uint8Array): ParsedMidi {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const text = (at: number) => String.fromCharCode(...file.subarray(at, at + 4))
  if (text(0) !== 'MThd') throw new Error('No MThd')
  const notes: ParsedNote[] = []
  const metas: ParsedMeta[] = []
  const messages: ParsedMessage[] = []
  const faults: string[] = []
  const tracks = view.getUint16(10)
  let at = 8 + view.getUint32(4)

  const variableLength = () => {
    let value = 0
    for (;;) {
      const byte = view.getUint8(at++)
      value = value * 128 + (byte & 0x7f)
      if (byte < 0x80) return value
    }
  }

  for (let track = 0; track < tracks; track++) {
    if (text(at) !== 'MTrk') throw new Error(`No MTrk at byte ${at}`)
    const end = at + 8 + view.getUint32(at + 4)
    at += 8
    let tick = 0
    let status = 0
    const sounding = new Map<number, { velocity: number; start: number }[]>()
    while (at < end) {
      tick += variableLength()
      if (view.getUint8(at) >= 0x80) status = view.getUint8(at++)
      if (status === 0xff) {
        const type = view.getUint8(at++)
        const length = variableLength()
        metas.push({ track, tick, type, data: file.slice(at, at + length) })
        at += length
        continue
      }
      if (status >= 0xf0) {
        at += variableLength()
        continue
      }
      const kind = status >> 4
      const channel = status & 0x0f
      const data = [view.getUint8(at++)]
      if (kind !== 0xc && kind !== 0xd) data.push(view.getUint8(at++))
      const [key = 0, velocity = 0] = data
      const place = channel * 128 + key
      if (kind === 9 && velocity > 0) {
        const open = sounding.get(place) ?? []
        sounding.set(place, open)
        open.push({ velocity, start: tick })
      } else if (kind === 8 || kind === 9) {
        const noteOn = sounding.get(place)?.shift()
        if (noteOn === undefined)
          faults.push(`track ${track}, tick ${tick}: key ${key} ends without a beginning`)
        else notes.push({ track, channel, key, velocity: noteOn.velocity, start: noteOn.start, end: tick })
      } else messages.push({ track, tick, bytes: [status, ...data] })
    }
    for (const [place, open] of sounding) {
      for (const { start } of open)
        faults.push(`track ${track}: key ${place % 128} of tick ${start} never ends`)
    }
    at = end
  }
  return { format: view.getUint16(8), division: view.getUint16(12), tracks, notes, metas, messages, faults }
}

/** The duration of the file in seconds: the latest end of a track, with the tempos of the first one. */
export function secondsOf({ metas, division }: ParsedMidi): number {
  const end = metas
    .filter(({ type }) => type === 0x2f)
    .reduce((latest, { tick }) => Math.max(latest, tick), 0)
  let microseconds = 0
  let tempo = 500_000
  let from = 0
  for (const { tick, type, data } of metas.filter(({ track }) => track === 0)) {
    if (type !== 0x51) continue
    microseconds += ((tick - from) * tempo) / division
    from = tick
    tempo = ((data[0] ?? 0) << 16) | ((data[1] ?? 0) << 8) | (data[2] ?? 0)
  }
  return (microseconds + ((end - from) * tempo) / division) / 1_000_000
}
