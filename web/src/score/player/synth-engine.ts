import type { Engine, StartEngine } from './engine.ts'
import type { Passage } from './places.ts'
import type { Program } from './sequencer.ts'
import { type FromSynth, processorName, type ToSynth } from './synth-messages.ts'
import type { Control, Transport } from './transport.ts'
import workletUrl from './synth.worklet.ts?worker&url'

interface NamedSound {
  readonly name: string
  readonly bytes: ArrayBuffer
}

/** Seconds that the sound needs to fade before the audio hardware is released. */
const fadeSeconds = 3

/** Whether the browser can run the synthesizer. */
export const canSynthesize = (): boolean =>
  typeof AudioWorkletNode === 'function' && typeof WebAssembly === 'object'

/** Loads the code of the synthesizer before it is needed. The browser keeps it. */
export const preloadSynth = (): Promise<Response> => fetch(workletUrl, { priority: 'low' })

/**
 * Plays a song with a synthesizer in the audio thread.
 * @param loadSounds loads the sound fonts of all sounds of the song
 */
export function synthEngine(program: Program, loadSounds: () => Promise<readonly NamedSound[]>): StartEngine {
  return async ({ onEnd, onFailure }) => {
    const context = new AudioContext({ latencyHint: 'interactive' })
    try {
      // Started while the user presses the button. Without this, the browser would not let the context sound.
      const resumed = context.resume()
      const [sounds] = await Promise.all([loadSounds(), context.audioWorklet.addModule(workletUrl), resumed])
      return await connected(context, program, sounds, onEnd, onFailure)
    } catch (error) {
      void context.close()
      throw error
    }
  }
}

async function connected(
  context: AudioContext,
  program: Program,
  sounds: readonly NamedSound[],
  onEnd: () => void,
  onFailure: (error: unknown) => void,
): Promise<Engine> {
  const node = new AudioWorkletNode(context, processorName, { numberOfInputs: 0, outputChannelCount: [2] })
  const volume = context.createGain()
  // A limiter: many instruments together are louder than full scale.
  const limiter = new DynamicsCompressorNode(context, { threshold: -6, knee: 6, ratio: 12, attack: 0.003 })
  const analyser = new AnalyserNode(context, { fftSize: 2048 })
  node.connect(volume).connect(limiter).connect(analyser).connect(context.destination)

  const send = (message: ToSynth, transfer: Transferable[] = []) => node.port.postMessage(message, transfer)
  const control = <Name extends keyof Transport>(name: Name, value: Parameters<Transport[Name]>[0]) =>
    send({ kind: 'control', name, value } as Control)
  let last = { at: 0, position: 0, isPlaying: false }
  let tempo = 1
  let loop: Passage | undefined
  let sleep: ReturnType<typeof setTimeout> | undefined
  const ready = Promise.withResolvers<void>()
  function sleepLater() {
    clearTimeout(sleep)
    sleep = setTimeout(() => void context.suspend(), fadeSeconds * 1000)
  }

  node.onprocessorerror = () => onFailure(new Error('The synthesizer has stopped.'))
  node.port.onmessage = ({ data }: MessageEvent<FromSynth>) => {
    if (data.kind === 'ready') ready.resolve()
    else if (data.kind === 'failed') {
      ready.reject(new Error(data.message))
      onFailure(new Error(data.message))
    } else {
      const hasEnded = last.isPlaying && !data.isPlaying
      last = data
      if (hasEnded) onEnd()
    }
  }
  for (const { name, bytes } of sounds) send({ kind: 'sound', name, bytes }, [bytes])
  send({ kind: 'program', program })
  await ready.promise

  const latency = () => context.outputLatency || context.baseLatency || 0
  return {
    hasParts: true,
    analyser,
    position() {
      const { at, position, isPlaying } = last
      if (!isPlaying) return position
      const now = position + (context.currentTime - latency() - at) * tempo
      // The next report says how the passage goes on.
      return loop && position < loop.end ? Math.min(now, loop.end - 0.001) : Math.max(0, now)
    },
    async play(countIn) {
      clearTimeout(sleep)
      await context.resume()
      control('play', countIn)
    },
    pause() {
      last = { ...last, isPlaying: false }
      control('pause', undefined)
      sleepLater()
    },
    seek(seconds) {
      last = { ...last, at: context.currentTime, position: seconds }
      control('seek', seconds)
    },
    setTempo(value) {
      tempo = value
      control('setTempo', value)
    },
    setLoop(value) {
      loop = value
      control('setLoop', value)
    },
    setMetronome: (isOn) => control('setMetronome', isOn),
    setLevels: (levels) => control('setLevels', levels),
    setReverbs: (reverbs) => control('setReverbs', reverbs),
    strike(notes) {
      void context.resume()
      control('strike', notes)
      if (!last.isPlaying) sleepLater()
    },
    setVolume(value) {
      // Squared, because ears hear differences of loudness as ratios.
      volume.gain.setTargetAtTime(value ** 2, context.currentTime, 0.02)
    },
    close() {
      clearTimeout(sleep)
      void context.close()
    },
  }
}
