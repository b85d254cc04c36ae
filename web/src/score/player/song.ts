/** A MIDI message of a part. Times of songs are seconds at the written tempo, from the start of the playback. */
export interface SongEvent {
  readonly seconds: number
  /** The place of the part in the score, from 0. */
  readonly part: number
  /** 16 times the port, plus the channel from 0. */
  readonly channel: number
  /** The upper half of the status byte: 0x9 for a note. */
  readonly kind: number
  readonly first: number
  readonly second: number
}

/** A sound of General MIDI. */
export interface Sound {
  readonly isDrumKit: boolean
  /** The bank, from 0 to 127. */
  readonly bank: number
  readonly program: number
}

export interface SongPart {
  readonly name: string
}

/** A beat of the metronome. */
export interface Beat {
  readonly seconds: number
  /** Whether a measure begins with it. */
  readonly isFirst: boolean
}

/** A meter, which is in force from this time on. */
export interface Meter {
  readonly seconds: number
  readonly tick: number
  /** The ticks of a beat. */
  readonly beatTicks: number
}

/** What the server's MIDI file of a score says. */
export interface Song {
  readonly parts: readonly SongPart[]
  /** In the order of time. */
  readonly events: readonly SongEvent[]
  readonly meters: readonly Meter[]
  readonly durationSeconds: number
  readonly ticksPerQuarter: number
  /** Returns the time of a tick. */
  secondsAt(tick: number): number
  /** Returns the tick at a time, which can lie between two. */
  tickAt(seconds: number): number
}

export const kinds = { noteOff: 0x8, noteOn: 0x9, control: 0xb, program: 0xc, bend: 0xe } as const

const percussionChannel = 9
const bankSelect = 0
const meta = { name: 0x03, port: 0x21, tempo: 0x51, meter: 0x58 } as const

interface TempoChange {
  readonly tick: number
  readonly seconds: number
  readonly secondsPerTick: number
}

interface RawEvent extends Omit<SongEvent, 'seconds'> {
  readonly tick: number
}

/**
 * Reads a file that the server wrote: format 1, a conductor track, then a track for each part.
 * @throws Error if it is no such file
 */
export function readSong(bytes: Uint8Array): Song {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < 14 || view.getUint32(0) !== 0x4d546864) throw new Error('This is not a MIDI file.')
  const count = view.getUint16(10)
  const ticksPerQuarter = view.getUint16(12)
  const tempos: [tick: number, microseconds: number][] = []
  const meters: { tick: number; beatTicks: number }[] = []
  const events: RawEvent[] = []
  const parts: SongPart[] = []
  let lastTick = 0
  let at = 8 + view.getUint32(4)
  for (let track = 0; track < count; track++) {
    const end = at + 8 + view.getUint32(at + 4)
    const part = track - 1
    let name = ''
    let port = 0
    const tick = readTrack(bytes, at + 8, end, {
      message(tick, status, first, second) {
        const channel = port * 16 + (status & 0x0f)
        events.push({ tick, part, channel, kind: status >> 4, first, second })
      },
      meta(tick, type, content) {
        const [first = 0, second = 0, third = 0] = content
        if (type === meta.name) name = new TextDecoder().decode(content)
        else if (type === meta.port) port = first
        else if (type === meta.tempo) tempos.push([tick, first * 65_536 + second * 256 + third])
        else if (type === meta.meter)
          meters.push({ tick, beatTicks: beatTicksOf(ticksPerQuarter, first, 2 ** second) })
      },
    })
    lastTick = Math.max(lastTick, tick)
    if (part >= 0) parts.push({ name })
    at = end
  }
  const map = tempoMap(tempos, ticksPerQuarter)
  const secondsAt = (tick: number) => secondsIn(map, tick)
  // A note ends before the next one of the same tick begins, because the writer puts it first, and the sort is stable.
  events.sort((a, b) => a.tick - b.tick || rankOf(a) - rankOf(b))
  return {
    parts,
    events: events.map(({ tick, ...event }) => ({ ...event, seconds: secondsAt(tick) })),
    meters: meters.map((meter) => ({ ...meter, seconds: secondsAt(meter.tick) })),
    durationSeconds: secondsAt(lastTick),
    ticksPerQuarter,
    secondsAt,
    tickAt: (seconds) => tickIn(map, seconds),
  }
}

/** Notes end first, and begin after everything that has an effect on them. */
const rankOf = ({ kind }: RawEvent) => (kind === kinds.noteOff ? 0 : kind === kinds.noteOn ? 2 : 1)

/** The beat that a metronome plays: that of the meter, or three of them in a compound meter. */
function beatTicksOf(ticksPerQuarter: number, beats: number, beatType: number): number {
  const unit = (ticksPerQuarter * 4) / beatType
  return beatType >= 8 && beats > 3 && beats % 3 === 0 ? unit * 3 : unit
}

/** Returns the sounds that the notes of a song need. */
export function soundsOf({ events }: Song): Sound[] {
  const banks = new Map<number, number>()
  const sounds = new Map<string, Sound>()
  const channels = new Map<number, Sound>()
  for (const { channel, kind, first, second } of events) {
    const isDrumKit = channel % 16 === percussionChannel
    if (kind === kinds.control && first === bankSelect) banks.set(channel, second)
    else if (kind === kinds.program)
      channels.set(channel, { isDrumKit, bank: isDrumKit ? 0 : (banks.get(channel) ?? 0), program: first })
    else if (kind === kinds.noteOn) {
      const sound = channels.get(channel) ?? { isDrumKit, bank: 0, program: 0 }
      sounds.set(nameOfSound(sound), sound)
    }
  }
  return [...sounds.values()]
}

/** The name of a sound in its address: `0-40`, or `drums-0`. */
export const nameOfSound = ({ isDrumKit, bank, program }: Sound): string =>
  isDrumKit ? `drums-${program}` : `${bank}-${program}`

interface TrackReader {
  message(tick: number, status: number, first: number, second: number): void
  meta(tick: number, type: number, content: Uint8Array): void
}

/** Reads the events of a track. Returns the tick of its end. */
function readTrack(bytes: Uint8Array, start: number, end: number, reader: TrackReader): number {
  let at = start
  let tick = 0
  let status = 0
  const byte = () => bytes[at++] ?? 0
  function variableLength(): number {
    let value = 0
    for (;;) {
      const next = byte()
      value = value * 128 + (next & 0x7f)
      if (next < 0x80) return value
    }
  }
  while (at < end) {
    tick += variableLength()
    if ((bytes[at] ?? 0) >= 0x80) status = byte()
    if (status >= 0xf0) {
      const type = status === 0xff ? byte() : 0
      const length = variableLength()
      if (status === 0xff) reader.meta(tick, type, bytes.subarray(at, at + length))
      at += length
    } else {
      const hasOne = status >> 4 === kinds.program || status >> 4 === 0xd
      const first = byte()
      reader.message(tick, status, first, hasOne ? 0 : byte())
    }
  }
  return tick
}

function tempoMap(tempos: readonly (readonly [number, number])[], ticksPerQuarter: number): TempoChange[] {
  const map: TempoChange[] = [{ tick: 0, seconds: 0, secondsPerTick: 0.5 / ticksPerQuarter }]
  for (const [tick, microseconds] of [...tempos].sort(([a], [b]) => a - b)) {
    const seconds = secondsIn(map, tick)
    if (map.at(-1)?.tick === tick) map.pop()
    map.push({ tick, seconds, secondsPerTick: microseconds / 1e6 / ticksPerQuarter })
  }
  return map
}

function secondsIn(map: readonly TempoChange[], tick: number): number {
  const change = map.findLast((one) => one.tick <= tick)
  return change ? change.seconds + (tick - change.tick) * change.secondsPerTick : 0
}

function tickIn(map: readonly TempoChange[], time: number): number {
  const change = map.findLast(({ seconds }) => seconds <= time)
  return change ? change.tick + (time - change.seconds) / change.secondsPerTick : 0
}
