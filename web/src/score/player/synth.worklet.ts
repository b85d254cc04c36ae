import { SoundBankLoader, SpessaSynthProcessor, type MIDIController } from 'spessasynth_core'
import { createSequencer, type Instrument, type Sequencer } from './sequencer.ts'
import { kinds } from './song.ts'
import { type FromSynth, processorName, type ToSynth } from './synth-messages.ts'
import { applyControl } from './transport.ts'

// The scope of a worklet, which the types of the browser do not have.
declare const sampleRate: number
declare const currentTime: number
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void

const resetControllers = 121 as MIDIController

/** Frames between two reports of the time: about 25 a second. */
const reportEvery = sampleRate / 25

/** Seconds until the sound of the metronome has faded. */
const clickSeconds = 0.05

/** A synthesizer with a sequencer, in the audio thread. */
class Synth extends AudioWorkletProcessor {
  readonly #synthesizer = new SpessaSynthProcessor(sampleRate, { eventsEnabled: false })
  readonly #channels = new Set<number>()
  #sequencer: Sequencer | undefined
  /** Messages are handled one after another, because the first sound waits for the decoder. */
  #handled: Promise<void> = this.#synthesizer.processorInitialized
  #framesToReport = 0
  #wasPlaying = false
  #click: { readonly hertz: number; frame: number } | undefined

  constructor() {
    super()
    this.port.onmessage = ({ data }: MessageEvent<ToSynth>) => {
      this.#handled = this.#handled
        .then(() => this.#handle(data))
        .catch((error: unknown) => this.#send({ kind: 'failed', message: String(error) }))
    }
  }

  process(_inputs: unknown, [output]: [Float32Array[]]): boolean {
    const [left, right] = output
    if (!left || !right) return true
    this.#sequencer?.advance(left.length / sampleRate)
    this.#synthesizer.process(left, right)
    this.#addClick(left, right)
    this.#report(left.length)
    return true
  }

  #handle(message: ToSynth): void {
    switch (message.kind) {
      case 'sound': {
        const bank = SoundBankLoader.fromArrayBuffer(message.bytes)
        // Decoded when it is first played, a sample would interrupt the sound.
        for (const sample of bank.samples) sample.getAudioData()
        this.#synthesizer.soundBankManager.addSoundBank(bank, message.name)
        return
      }
      case 'program':
        this.#prepareChannels(message.program.events)
        this.#sequencer = createSequencer(message.program, this.#instrument())
        this.#sequencer.seek(0)
        this.#send({ kind: 'ready' })
        break
      case 'control':
        if (this.#sequencer) applyControl(this.#sequencer, message)
    }
    this.#framesToReport = 0
  }

  #prepareChannels(events: readonly { readonly channel: number }[]): void {
    for (const { channel } of events) this.#channels.add(channel)
    const count = Math.max(15, ...this.#channels) + 1
    while (this.#synthesizer.midiChannels.length < count) this.#synthesizer.createMIDIChannel()
  }

  #instrument(): Instrument {
    const synthesizer = this.#synthesizer
    return {
      send(channel, kind, first, second) {
        if (kind === kinds.noteOn) synthesizer.noteOn(channel, first, second)
        else if (kind === kinds.noteOff) synthesizer.noteOff(channel, first)
        else if (kind === kinds.control)
          synthesizer.controllerChange(channel, first as MIDIController, second)
        else if (kind === kinds.program) synthesizer.programChange(channel, first)
        else if (kind === kinds.bend) synthesizer.pitchWheel(channel, second * 128 + first)
      },
      silence: () => {
        synthesizer.stopAllChannels()
        for (const channel of this.#channels) synthesizer.controllerChange(channel, resetControllers, 0)
      },
      click: (isFirst) => {
        this.#click = { hertz: isFirst ? 1760 : 1175, frame: 0 }
      },
    }
  }

  #addClick(left: Float32Array, right: Float32Array): void {
    const click = this.#click
    if (!click) return
    for (let i = 0; i < left.length; i++) {
      const seconds = click.frame++ / sampleRate
      const value =
        0.25 * Math.sin(2 * Math.PI * click.hertz * seconds) * Math.exp((-8 * seconds) / clickSeconds)
      left[i] = (left[i] ?? 0) + value
      right[i] = (right[i] ?? 0) + value
    }
    if (click.frame > 2 * clickSeconds * sampleRate) this.#click = undefined
  }

  #report(frames: number): void {
    const sequencer = this.#sequencer
    if (!sequencer) return
    const { position, isPlaying } = sequencer
    this.#framesToReport -= frames
    if (this.#framesToReport > 0 && isPlaying === this.#wasPlaying) return
    if (!isPlaying && !this.#wasPlaying && this.#framesToReport < -frames) return
    this.#wasPlaying = isPlaying
    if (isPlaying) this.#framesToReport = reportEvery
    this.#send({ kind: 'time', at: currentTime + frames / sampleRate, position, isPlaying })
  }

  #send(message: FromSynth): void {
    this.port.postMessage(message)
  }
}

registerProcessor(processorName, Synth)
