import type { Engine, StartEngine } from './engine.ts'
import { countInAt, indexAt, type Passage, type PlayedMeasure } from './places.ts'
import type { TimedNote } from './lit-notes.ts'
import type { Beat } from './song.ts'

export interface PartSetting {
  readonly name: string
  readonly isMuted: boolean
  readonly isSolo: boolean
  /** 1 as written. */
  readonly level: number
  /** In percent. Undefined as written. */
  readonly reverb: number | undefined
}

export interface PlayerState {
  readonly status: 'waiting' | 'loading' | 'ready' | 'failed'
  readonly isPlaying: boolean
  /** In percent of the written one. */
  readonly tempo: number
  readonly loop: Passage | undefined
  readonly isLooping: boolean
  readonly hasMetronome: boolean
  readonly hasCountIn: boolean
  /** From 0 to 1. */
  readonly volume: number
  readonly parts: readonly PartSetting[]
  /** The index of the part that the user plays, which is louder than the others. */
  readonly myPart: number | undefined
  /** Changes when the position jumps. */
  readonly jumps: number
}

/** The music that a player plays. */
export interface Music {
  readonly measures: readonly PlayedMeasure[]
  readonly beats: readonly Beat[]
  /** In the order of time. */
  readonly notes: readonly TimedNote[]
  readonly parts: readonly string[]
  /** In the order of the score. There can be a further part, which plays chord symbols. */
  readonly partUuids: readonly string[]
  readonly durationSeconds: number
  /** Returns how many quarter notes of the playback lie before a time. */
  quartersAt(seconds: number): number
  readonly start: StartEngine
  /** Loads what the start needs, so that it takes less time. */
  preload(): void
}

export const tempoRange = { least: 20, most: 200, step: 5 } as const

/** Plays a score. All times are seconds at the written tempo. Nothing sounds before `play` is called. */
export interface Player {
  readonly music: Music
  /** The state, which is another object after each change. */
  state(): PlayerState
  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /** Where the music is that the listener hears now. */
  position(): number
  /** The index of the measure in `music.measures` that the listener hears now. */
  measure(): number
  /** What is heard. Undefined before the first start, and for a recording. */
  analyser(): AnalyserNode | undefined
  play(): Promise<void>
  pause(): void
  toggle(): void
  seek(seconds: number): void
  /** Goes to the start of another measure; back first to the start of this one. */
  step(measures: number): void
  setTempo(percent: number): void
  setLoop(loop: Passage | undefined): void
  setLooping(isOn: boolean): void
  setMetronome(isOn: boolean): void
  setCountIn(isOn: boolean): void
  setVolume(volume: number): void
  /** Makes a part louder than the others, or all parts as loud as they are written. */
  setMyPart(index: number | undefined): void
  /** Goes to a note, and plays it alone unless the music plays. */
  hear(note: TimedNote): Promise<void>
  setPart(index: number, change: Partial<Omit<PartSetting, 'name'>>): void
  close(): void
}

/** How loud the part of the user is, and each of the others. */
const emphasis = { mine: 1.3, others: 0.5 } as const

const hasSameTimes = (music: Music, { measures }: Music): boolean =>
  music.measures.length === measures.length &&
  music.measures.every(({ uuid, start }, index) => {
    const other = measures[index]
    return other?.uuid === uuid && other.start === start
  })

/** The state of a player before it plays. The choices of the listener stay as far as the music has their objects. */
function firstState(music: Music, before: PlayerMemory | undefined): PlayerState {
  const { tempo = 100, hasMetronome = false, hasCountIn = false, volume = 0.8 } = before?.state ?? {}
  const parts = music.parts.map((name) => ({
    name,
    isMuted: false,
    isSolo: false,
    level: 1,
    reverb: undefined,
  }))
  const hasSameParts = before?.music.partUuids.join() === music.partUuids.join()
  const hasLoop = before !== undefined && hasSameTimes(music, before.music)
  return {
    status: 'waiting',
    isPlaying: false,
    tempo,
    loop: hasLoop ? before.state.loop : undefined,
    isLooping: hasLoop && before.state.isLooping,
    hasMetronome,
    hasCountIn,
    volume,
    parts: before && hasSameParts && before.state.parts.length === parts.length ? before.state.parts : parts,
    myPart: hasSameParts ? before?.state.myPart : undefined,
    jumps: 0,
  }
}

/** Seconds after the start of a measure in which a step back goes to the measure before it. */
const stepBackWithin = 0.6

/** What a listener has chosen in a player, for the next one. */
export interface PlayerMemory {
  readonly music: Music
  readonly state: PlayerState
  readonly position: number
}

export const memoryOf = (player: Player): PlayerMemory => ({
  music: player.music,
  state: player.state(),
  position: player.position(),
})

/** @param before the player that this one replaces, for example because the same score was transposed */
export function createPlayer(music: Music, before?: PlayerMemory): Player {
  const listeners = new Set<() => void>()
  let engine: Engine | undefined
  let starting: Promise<Engine> | undefined
  let isClosed = false
  let state = firstState(music, before)
  /** The position until there is an engine. */
  let waitingAt = before && hasSameTimes(music, before.music) ? before.position : 0

  function change(values: Partial<PlayerState>): void {
    state = { ...state, ...values }
    for (const listener of listeners) listener()
  }

  const activeLoop = () => (state.isLooping ? state.loop : undefined)

  function levels(): number[] {
    const hasSolo = state.parts.some(({ isSolo }) => isSolo)
    return state.parts.map(({ isMuted, isSolo, level }) => (isMuted || (hasSolo && !isSolo) ? 0 : level))
  }

  const reverbs = () => state.parts.map(({ reverb }) => reverb)

  function start(): Promise<Engine> {
    change({ status: 'loading' })
    return music
      .start({
        onEnd: () => change({ isPlaying: false, jumps: state.jumps + 1 }),
        onFailure: fail,
      })
      .then((started) => {
        if (isClosed) started.close()
        engine = started
        started.setTempo(state.tempo / 100)
        started.setLoop(activeLoop())
        started.setMetronome(state.hasMetronome)
        started.setLevels(levels())
        started.setReverbs(reverbs())
        started.setVolume(state.volume)
        started.seek(waitingAt)
        change({ status: 'ready' })
        return started
      })
  }

  function fail(): void {
    engine?.close()
    engine = undefined
    starting = undefined
    change({ status: 'failed', isPlaying: false })
  }

  const position = () => engine?.position() ?? waitingAt
  const measure = () => indexAt(music.measures, position())

  function seek(seconds: number): void {
    waitingAt = Math.max(0, Math.min(music.durationSeconds, seconds))
    engine?.seek(waitingAt)
    change({ jumps: state.jumps + 1 })
  }

  async function hear({ part, key, start: seconds }: TimedNote): Promise<void> {
    seek(seconds)
    if (state.isPlaying) return
    try {
      starting ??= start()
      const started = await starting
      if (!isClosed && !state.isPlaying) started.strike([{ part, key, start: seconds }])
    } catch {
      fail()
    }
  }

  async function play(): Promise<void> {
    if (state.isPlaying) return
    try {
      starting ??= start()
      const started = await starting
      if (isClosed) return
      const loop = activeLoop()
      const at = started.position()
      if (loop && (at < loop.start || at >= loop.end)) seek(loop.start)
      else if (at >= music.durationSeconds - 0.01) seek(0)
      const countIn = state.hasCountIn ? countInAt(music.beats, music.measures, position()) : undefined
      await started.play(countIn)
      change({ isPlaying: true })
    } catch {
      fail()
    }
  }

  function pause(): void {
    if (!state.isPlaying) return
    engine?.pause()
    change({ isPlaying: false })
  }

  return {
    music,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    position,
    measure,
    analyser: () => engine?.analyser,
    play,
    pause,
    toggle: () => (state.isPlaying ? pause() : void play()),
    seek,
    step(count) {
      const at = measure()
      const isLate = position() - (music.measures[at]?.start ?? 0) > stepBackWithin
      const target = count < 0 && isLate ? at + count + 1 : at + count
      const place = music.measures[Math.max(0, Math.min(music.measures.length - 1, target))]
      if (place) seek(place.start)
    },
    setTempo(percent) {
      const tempo = Math.max(tempoRange.least, Math.min(tempoRange.most, Math.round(percent)))
      engine?.setTempo(tempo / 100)
      change({ tempo })
    },
    setLoop(loop) {
      change({ loop, isLooping: loop !== undefined })
      engine?.setLoop(activeLoop())
    },
    setLooping(isLooping) {
      change({ isLooping })
      engine?.setLoop(activeLoop())
    },
    setMetronome(hasMetronome) {
      change({ hasMetronome })
      engine?.setMetronome(hasMetronome)
    },
    setCountIn: (hasCountIn) => change({ hasCountIn }),
    setVolume(volume) {
      change({ volume })
      engine?.setVolume(volume)
    },
    setMyPart(myPart) {
      const levelAt = (index: number) => (index === myPart ? emphasis.mine : emphasis.others)
      const parts = state.parts.map((part, index) => ({
        ...part,
        level: myPart === undefined ? 1 : levelAt(index),
      }))
      change({ myPart, parts })
      engine?.setLevels(levels())
    },
    hear,
    setPart(index, values) {
      change({ parts: state.parts.map((part, at) => (at === index ? { ...part, ...values } : part)) })
      engine?.setLevels(levels())
      if ('reverb' in values) engine?.setReverbs(reverbs())
    },
    close() {
      isClosed = true
      engine?.close()
      listeners.clear()
    },
  }
}
