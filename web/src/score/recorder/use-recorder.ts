import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SynchronizationPoint } from '../player/places.ts'
import type { Player } from '../player/player.ts'
import { type Capture, openMicrophone, startCapture } from './capture.ts'
import { medianOf, pointsOf } from './play-along.ts'

/** What the player hears while recording. */
export const alongs = ['score', 'metronome', 'nothing'] as const
export type Along = (typeof alongs)[number]

/** Why there is no sound of the microphone. */
export type Problem = 'denied' | 'missing' | 'busy'

export interface FinishedTake {
  readonly blob: Blob
  readonly seconds: number
  readonly points: readonly SynchronizationPoint[]
}

export interface Recorder {
  /** Undefined while the microphone is off. */
  readonly stream: MediaStream | undefined
  /** Hears the microphone. */
  readonly analyser: AnalyserNode | undefined
  readonly problem: Problem | undefined
  readonly state: 'ready' | 'starting' | 'recording' | 'stopping'
  open(hasCamera: boolean): Promise<void>
  close(): void
  start(along: Along): Promise<void>
  stop(): Promise<void>
}

const problemOf = (error: unknown): Problem => {
  const { name } = error as { name?: string }
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}

/** Milliseconds between two readings of the clock of the music. */
const readEvery = 200

/** Milliseconds for which the last note may sound after the end of the music. */
const tail = 1200

/** Records the microphone, while the player plays the score. */
export function useRecorder(player: Player | undefined, onTake: (take: FinishedTake) => void): Recorder {
  const [stream, setStream] = useState<MediaStream>()
  const [analyser, setAnalyser] = useState<AnalyserNode>()
  const [problem, setProblem] = useState<Problem>()
  const [state, setState] = useState<Recorder['state']>('ready')
  const running = useRef<{ stop(): Promise<FinishedTake> }>(undefined)
  const give = useEffectEvent(onTake)

  async function open(hasCamera: boolean): Promise<void> {
    try {
      const opened = await openMicrophone(hasCamera)
      const context = new AudioContext()
      const meter = new AnalyserNode(context, { fftSize: 2048 })
      context.createMediaStreamSource(opened).connect(meter)
      void context.resume()
      setProblem(undefined)
      setStream(opened)
      setAnalyser(meter)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  function close(): void {
    for (const track of stream?.getTracks() ?? []) track.stop()
    void (analyser?.context as AudioContext | undefined)?.close()
    setStream(undefined)
    setAnalyser(undefined)
  }

  async function stop(): Promise<void> {
    const { current } = running
    if (!current) return
    running.current = undefined
    setState('stopping')
    give(await current.stop())
    setState('ready')
  }

  async function start(along: Along): Promise<void> {
    if (!stream || state !== 'ready') return
    setState('starting')
    try {
      running.current = await startTake(
        stream,
        along === 'nothing' ? undefined : player,
        along,
        () => void stop(),
      )
      setState('recording')
    } catch (error) {
      setProblem(problemOf(error))
      setState('ready')
    }
  }

  const end = useEffectEvent(() => {
    void running.current?.stop()
    running.current = undefined
    close()
  })
  useEffect(() => () => end(), [])
  return { stream, analyser, problem, state, open, close, start, stop }
}

/** Seconds before the end of the music from which it begins anew. */
const atEnd = 0.05

/** @param onEnd called when the music has ended, or the recording is full */
async function startTake(
  stream: MediaStream,
  player: Player | undefined,
  along: Along,
  onEnd: () => void,
): Promise<{ stop(): Promise<FinishedTake> }> {
  const restore = player && prepare(player, along)
  if (player && player.position() >= player.music.durationSeconds - atEnd) player.seek(0)
  const from = player?.position() ?? 0
  // The music counts in, so there is time to start the recording before it begins.
  await player?.play()
  // A browser without the synthesizer cannot say when its music sounds.
  const clock = player?.analyser()?.context as AudioContext | undefined
  const own = clock ? undefined : new AudioContext()
  let capture: Capture
  try {
    capture = await startCapture(stream, clock ?? (own as AudioContext), onEnd)
  } catch (error) {
    player?.pause()
    restore?.()
    throw error
  }
  const heard = clock && player && followMusic(player, clock, from, onEnd)
  return {
    async stop() {
      const played = heard?.end()
      player?.pause()
      // The next take begins at the same place.
      player?.seek(from)
      restore?.()
      const { blob, seconds, timeOf } = await capture.stop()
      void own?.close()
      const points =
        played && player
          ? pointsOf({ ...played, measures: player.music.measures, start: timeOf(played.start) })
          : []
      return { blob, seconds, points }
    },
  }
}

/** Sets the player up for a recording. Returns a function that gives it its settings back. */
function prepare(player: Player, along: Along): () => void {
  const { parts, hasMetronome, hasCountIn, isLooping } = player.state()
  player.pause()
  player.setLooping(false)
  player.setCountIn(true)
  if (along === 'metronome') {
    player.setMetronome(true)
    for (const index of parts.keys()) player.setPart(index, { isMuted: true, isSolo: false })
  }
  return () => {
    player.setCountIn(hasCountIn)
    player.setMetronome(hasMetronome)
    player.setLooping(isLooping)
    for (const [index, { isMuted, isSolo }] of parts.entries()) player.setPart(index, { isMuted, isSolo })
  }
}

interface Heard {
  readonly from: number
  readonly until: number
  readonly tempo: number
  /** The time of the clock at which the start of the music would be heard. */
  readonly start: number
}

/**
 * Reads from the player which time of the clock each place of the music is heard at.
 * @returns a function that ends it; its answer is undefined if the user has gone to another place or changed the tempo
 */
function followMusic(
  player: Player,
  clock: AudioContext,
  from: number,
  onEnd: () => void,
): { end(): Heard | undefined } {
  const { tempo: percent, jumps } = player.state()
  const tempo = percent / 100
  const starts: number[] = []
  let until = from
  let isSteady = true
  let ending: ReturnType<typeof setTimeout> | undefined
  const timer = setInterval(() => {
    const state = player.state()
    if (!state.isPlaying) {
      ending ??= setTimeout(onEnd, tail)
      return
    }
    if (state.tempo !== percent || state.jumps !== jumps) isSteady = false
    until = player.position()
    // Before that, the music counts in.
    if (until > from + 0.05) starts.push(clock.currentTime - until / tempo)
  }, readEvery)
  return {
    end() {
      clearInterval(timer)
      clearTimeout(ending)
      const start = medianOf(starts)
      const { isPlaying } = player.state()
      const last = isPlaying ? player.position() : until + (2 * readEvery * tempo) / 1000
      const reached = Math.min(last, player.music.durationSeconds)
      return isSteady && start !== undefined ? { from, until: reached, tempo, start } : undefined
    },
  }
}
