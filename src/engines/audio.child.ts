import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SoundBankLoader } from 'spessasynth_core'
import { createMp3Encoder } from 'wasm-media-encoders'
import { type Recording, type Stereo, sampleRate } from './recording.ts'
import { serveJobs } from './serve-jobs.ts'
import { perform } from './synthesis.ts'
import { writeWav } from './wav.ts'

/** A MIDI file of ours to be made into sound. */
export interface AudioJob {
  to: 'mp3' | 'wav'
  midi: Uint8Array
  /** How long its music lasts. */
  seconds: number
}

/** The loudest sample of a file: 1 dB below full scale, which leaves room for what MP3 players add. */
const targetPeak = 10 ** (-1 / 20)
/** kbit/s, constant. */
const bitrate = 160
/** Performing is about so much of the work; the rest is encoding. */
const performingShare = 0.6

// Apache-2.0, as its LICENSE beside it says.
const soundFont = await readFile(fileURLToPath(import.meta.resolve('@coderline/alphatab/soundfont/sonivox.sf2')))
const bank = SoundBankLoader.fromArrayBuffer(new Uint8Array(soundFont).buffer)
const encoder = await createMp3Encoder()

serveJobs<AudioJob>(async ({ to, midi, seconds }, report) => {
  let reported = 0
  const reportShare = (share: number) => {
    const percent = Math.floor(share * 100)
    if (percent > reported) report(percent)
    reported = percent
  }
  const recording = await perform(midi, seconds, bank, (share) => reportShare(share * performingShare))
  const sound = normalized(recording, (share) => reportShare(performingShare + share * (1 - performingShare)))
  return to === 'mp3' ? encodeMp3(sound) : writeWav(recording.frames, sound)
})

/** The recording as loud as `targetPeak` allows; silence stays silent. */
function* normalized(recording: Recording, report: (share: number) => void): Generator<Stereo> {
  const peak = recording.peak()
  let played = 0
  for (const block of recording.play(peak > 0 ? targetPeak / peak : 1)) {
    yield block
    played += block.left.length
    report(played / recording.frames)
  }
}

function encodeMp3(sound: Iterable<Stereo>): Uint8Array {
  encoder.configure({ sampleRate, channels: 2, bitrate })
  const pieces: Uint8Array[] = []
  // The encoder uses its memory again for the next piece.
  for (const { left, right } of sound) pieces.push(encoder.encode([left, right]).slice())
  pieces.push(encoder.finalize().slice())
  return Buffer.concat(pieces)
}
