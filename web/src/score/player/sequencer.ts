import { kinds, type Beat, type SongEvent } from './song.ts'
import type { Passage } from './places.ts'
import type { PartLevel, StruckNote, Transport } from './transport.ts'

/** What a sequencer plays on. */
export interface Instrument {
  send(channel: number, kind: number, first: number, second: number): void
  /** Ends all notes at once and forgets the controllers. */
  silence(): void
  click(isFirst: boolean): void
}

/** Plays the events of a song in time. Positions are seconds at the written tempo. */
export interface Sequencer extends Transport {
  readonly position: number
  readonly isPlaying: boolean
  /** Sends what is due in the next seconds, by the clock of the listener. */
  advance(seconds: number): void
}

/** What a sequencer needs to know of a song. */
export interface Program {
  readonly events: readonly SongEvent[]
  readonly beats: readonly Beat[]
  readonly durationSeconds: number
}

/** Controllers whose meaning depends on those before them: data entry, and the numbers of parameters. */
const ordered: ReadonlySet<number> = new Set([6, 38, 96, 97, 98, 99, 100, 101])

/** The controller of the reverberation. */
const reverbDepth = 91

/** Seconds after the end of the music in which the last notes fade. */
const tail = 1

/** Seconds for which a note sounds that is played alone. */
const struckSeconds = 0.8

export function createSequencer({ events, beats, durationSeconds }: Program, to: Instrument): Sequencer {
  let position = 0
  let isPlaying = false
  let tempo = 1
  let loop: Passage | undefined
  let hasMetronome = false
  let levels: readonly PartLevel[] = []
  let reverbs: readonly (number | undefined)[] = []
  let nextEvent = 0
  let nextBeat = 0
  let leading: { beats: number; isFirst: boolean; interval: number; until: number } | undefined
  /** The notes that sound, by channel and key, with their parts. */
  const sounding = new Map<number, number>()
  /** The notes that are played alone, and the seconds until they end. */
  let struck: { readonly notes: readonly SongEvent[]; rest: number } | undefined

  const levelOf = (part: number): PartLevel => levels[part] ?? 1

  function seek(seconds: number): void {
    position = Math.max(0, Math.min(durationSeconds, seconds))
    nextEvent = firstAt(events, position)
    nextBeat = firstAt(beats, position)
    leading = undefined
    struck = undefined
    to.silence()
    sounding.clear()
    restoreState(events.slice(0, nextEvent), to)
    sendReverbs()
  }

  /** Sets the reverberation that the user has chosen. */
  function sendReverbs(): void {
    const channels = new Map(events.map(({ channel, part }) => [channel, reverbs[part]]))
    for (const [channel, percent] of channels)
      if (percent !== undefined) to.send(channel, kinds.control, reverbDepth, Math.round(percent * 1.27))
  }

  function play(event: SongEvent): void {
    const { part, channel, kind, first, second } = event
    const note = channel * 128 + first
    if (isStart(event)) {
      const level = levelOf(part)
      if (level <= 0) return
      sounding.set(note, part)
      to.send(channel, kind, first, Math.max(1, Math.min(127, Math.round(second * level))))
      return
    }
    if (kind === kinds.noteOff || kind === kinds.noteOn) sounding.delete(note)
    if (kind === kinds.control && first === reverbDepth && reverbs[part] !== undefined) return
    to.send(channel, kind, first, second)
  }

  /** Plays what lies before a position. */
  function playUntil(end: number): void {
    for (; nextEvent < events.length; nextEvent++) {
      const event = events[nextEvent] as SongEvent
      if (event.seconds >= end) break
      play(event)
    }
    for (; nextBeat < beats.length; nextBeat++) {
      const beat = beats[nextBeat] as Beat
      if (beat.seconds >= end) break
      if (hasMetronome) to.click(beat.isFirst)
    }
    position = end
  }

  /** Plays the beats before the music. Returns the rest of the time. */
  function lead(seconds: number): number {
    let rest = seconds
    while (leading && rest > 0) {
      if (leading.until >= rest) {
        leading.until -= rest
        return 0
      }
      rest -= leading.until
      if (leading.beats === 0) {
        leading = undefined
        return rest
      }
      const { beats, isFirst, interval } = leading
      to.click(isFirst)
      leading = { beats: beats - 1, isFirst: false, interval, until: interval / tempo }
    }
    return rest
  }

  /** Returns the event with which a printed note begins, or one like it: an ornament begins with another key. */
  function eventOf({ part, key, start }: StruckNote): SongEvent | undefined {
    const own = events.filter((event) => isStart(event) && event.part === part)
    const near = own.findLast(({ seconds }) => seconds <= start + 0.01) ?? own[0]
    const exact = own.find(({ first, seconds }) => first === key && Math.abs(seconds - start) < 0.01)
    return exact ?? (near && { ...near, first: key })
  }

  function endStruck(): void {
    for (const { channel, first } of struck?.notes ?? []) to.send(channel, kinds.noteOff, first, 0)
    struck = undefined
  }

  return {
    get position() {
      return position
    },
    get isPlaying() {
      return isPlaying
    },
    play(countIn) {
      if (position >= durationSeconds) seek(loop?.start ?? 0)
      endStruck()
      leading = countIn && { ...countIn, isFirst: true, until: 0 }
      isPlaying = true
    },
    pause() {
      isPlaying = false
      seek(position)
    },
    seek,
    setTempo(value) {
      tempo = value
    },
    setLoop(value) {
      loop = value
    },
    setMetronome(isOn) {
      hasMetronome = isOn
    },
    setLevels(value) {
      levels = value
      for (const [note, part] of sounding) {
        if (levelOf(part) > 0) continue
        to.send(note >> 7, kinds.noteOff, note & 0x7f, 0)
        sounding.delete(note)
      }
    },
    setReverbs(value) {
      reverbs = value
      sendReverbs()
    },
    strike(notes) {
      if (isPlaying) return
      endStruck()
      const starts = notes.flatMap((note) => eventOf(note) ?? [])
      for (const { channel, kind, first, second } of starts) to.send(channel, kind, first, second)
      struck = { notes: starts, rest: struckSeconds }
    },
    advance(seconds) {
      if (struck) {
        struck.rest -= seconds
        if (struck.rest <= 0) endStruck()
      }
      if (!isPlaying) return
      let rest = lead(seconds) * tempo
      while (rest > 0) {
        const isInLoop = loop && position < loop.end
        const end = isInLoop && loop ? loop.end : durationSeconds + tail
        if (position + rest < end) return playUntil(position + rest)
        rest -= end - position
        playUntil(end)
        if (isInLoop && loop) seek(loop.start)
        else {
          isPlaying = false
          seek(durationSeconds)
          return
        }
      }
    },
  }
}

const isStart = ({ kind, second }: SongEvent) => kind === kinds.noteOn && second > 0

/** Sends the last program, bend and value of each controller before a position. */
function restoreState(events: readonly SongEvent[], to: Instrument): void {
  const last = new Map<number, SongEvent>()
  const send = ({ channel, kind, first, second }: SongEvent) => to.send(channel, kind, first, second)
  for (const event of events) {
    if (event.kind === kinds.noteOn || event.kind === kinds.noteOff) continue
    if (event.kind === kinds.control && ordered.has(event.first)) send(event)
    else {
      const place = (event.channel * 16 + event.kind) * 128 + (event.kind === kinds.control ? event.first : 0)
      // The last one comes last: the bank is selected before the program.
      last.delete(place)
      last.set(place, event)
    }
  }
  for (const event of last.values()) send(event)
}

/** Returns the index of the first item at a time or after it. */
function firstAt(items: readonly { readonly seconds: number }[], seconds: number): number {
  const index = items.findIndex((item) => item.seconds >= seconds - 1e-6)
  return index === -1 ? items.length : index
}
