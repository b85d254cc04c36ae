import { BasicMIDI, type BasicSoundBank, SpessaSynthProcessor, SpessaSynthSequencer } from 'spessasynth_core'
import { blockFrames, createRecording, type Recording, sampleRate } from './recording.ts'
import { smallHall } from './reverb.ts'

/** Seconds after the end of the music in which the last sounds and the reverberation fade. */
const tailSeconds = 2
/** Seconds at the end of the tail in which the sound is faded out. */
const fadeSeconds = 0.5
/** Frames that are rendered together. Events are at most 3 ms late. */
const quantum = 128

/**
 * Plays a MIDI file of our own writer into a recording of the music and `tailSeconds`.
 * @param seconds the duration of the music, with rests at its end
 * @param report receives the progress, from 0 to 1
 */
export async function perform(
  midi: Uint8Array,
  seconds: number,
  bank: BasicSoundBank,
  report: (share: number) => void,
): Promise<Recording> {
  const synthesizer = new SpessaSynthProcessor(sampleRate, {
    eventsEnabled: false,
    reverbProcessor: smallHall(),
  })
  synthesizer.soundBankManager.addSoundBank(bank, 'instruments')
  await synthesizer.processorInitialized
  const sequencer = new SpessaSynthSequencer(synthesizer)
  sequencer.skipToFirstNoteOn = false
  sequencer.loopCount = 0
  sequencer.loadNewSongList([BasicMIDI.fromArrayBuffer(new Uint8Array(midi).buffer)])
  sequencer.play()

  const frames = Math.ceil((seconds + tailSeconds) * sampleRate)
  const recording = createRecording(frames)
  const left = new Float32Array(blockFrames)
  const right = new Float32Array(blockFrames)
  for (let rendered = 0; rendered < frames; rendered += blockFrames) {
    left.fill(0)
    right.fill(0)
    for (let start = 0; start < blockFrames; start += quantum) {
      sequencer.processTick()
      synthesizer.process(left, right, start, quantum)
    }
    fadeOut(left, frames - rendered)
    fadeOut(right, frames - rendered)
    recording.add({ left, right })
    report(Math.min(1, (rendered + blockFrames) / frames))
  }
  return recording
}

/** @param remaining frames from the first of these samples to the end of the sound */
function fadeOut(samples: Float32Array, remaining: number): void {
  const fadeFrames = fadeSeconds * sampleRate
  for (let i = Math.max(0, Math.ceil(remaining - fadeFrames)); i < samples.length; i++) {
    samples[i] = (samples[i] as number) * Math.max(0, (remaining - i) / fadeFrames)
  }
}
