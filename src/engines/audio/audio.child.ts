import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SoundBankLoader } from 'spessasynth_core'
import { createMp3Encoder } from 'wasm-media-encoders'
import { type Recording, type Stereo, sampleRate } from './recording.ts'
import type { RenderedFile } from '../engine-format.ts'
import { serveJobs } from '../hosts/serve-jobs.ts'
import { perform } from './synthesis.ts'
import { writeWav } from './wav.ts'

/** A MIDI file of our own writer, to render as sound. */
export interface AudioJob {
  to: 'mp3' | 'wav'
  midi: Uint8Array
  /** The duration of the music. */
  seconds: number
}

/** The peak of a file: 1 dB below full scale, because MP3 decoders may overshoot. */
const targetPeak = 10 ** (-1 / 20)
/** Constant bit rate, in kbit/s. */
const bitrate = 160
/** The share of the progress that synthesis takes. Encoding takes the rest. */
const performingShare = 0.6

// The font is Apache-2.0; see the LICENSE file beside it. docs/decisions/028-alphatab.md says why it comes
// from alphaTab.
const soundFont = await readFile(
  fileURLToPath(import.meta.resolve('@coderline/alphatab/soundfont/sonivox.sf2')),
)
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
  const file = to === 'mp3' ? encodeMp3(sound) : writeWav(recording.frames, sound)
  return { file, isFilled: true } satisfies RenderedFile
})

/** Plays the recording with its peak at `targetPeak`. Silence stays silent. */
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
  // The encoder reuses its memory for the next piece, so each piece is copied.
  for (const { left, right } of sound) pieces.push(encoder.encode([left, right]).slice())
  pieces.push(encoder.finalize().slice())
  return Buffer.concat(pieces)
}
