import { createMp3Encoder } from 'wasm-media-encoders'
import { serveJobs } from '../hosts/serve-jobs.ts'
import type { RenderedFile } from '../engine-format.ts'
import { createLimiter } from './limiter.ts'
import type { Span } from './player.worker.ts'
import { startPlayers } from './players.ts'
import { blockFrames, peakOf, type Stereo, sampleRate } from './sound.ts'
import { wavHeader, wavSamples } from './wav.ts'

/** A MIDI file of our own writer, to render as sound. */
export interface AudioJob {
  to: 'mp3' | 'wav'
  midi: Uint8Array
  /** The duration of the music, with rests at its end. */
  seconds: number
  /** The moments at which the music is probably loudest, in seconds. */
  loudest: readonly number[]
}

/** The peak of a file: 1 dB below full scale, because MP3 decoders may overshoot. */
const targetPeak = 10 ** (-1 / 20)
/** Constant bit rate, in kbit/s. */
const bitrate = 160
/** Seconds after the end of the music in which the last sounds and the reverberation fade. */
const tailSeconds = 2
/** Frames at the end of the tail in which the sound is faded out. */
const fadeFrames = 0.5 * sampleRate
/** A sound of at most so many seconds is listened to as a whole before it is written. */
const shortSeconds = 12
/** Seconds of a probe before and after a moment. */
const probeBefore = 1
const probeAfter = 0.75
/** Bytes that are sent together. */
const partBytes = 32 * 1024

const [font = ''] = process.argv.slice(3)
const players = await startPlayers(font)
const encoder = await createMp3Encoder()

const blocksOf = (seconds: number) => Math.ceil((seconds * sampleRate) / blockFrames)

serveJobs<AudioJob>(async ({ to, midi, seconds, loudest }, report, send) => {
  const total = seconds + tailSeconds
  const frames = Math.ceil(total * sampleRate)
  const whole = { startSeconds: 0, blocks: Math.ceil(frames / blockFrames) }
  const probes = probesOf(total, loudest)
  const blocks = players.play(midi, [...probes, whole])
  const gain = gainFor(await peakOfNext(blocks, probes))

  const pack = to === 'mp3' ? mp3Packer() : wavPacker(frames)
  let waiting: Uint8Array[] = []
  let size = 0
  async function flush(): Promise<void> {
    await send(Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  let reported = 0
  let played = 0
  for await (const block of limited(amplified(blocks, frames, gain), frames)) {
    const isFirst = played === 0
    played += block.left.length
    const piece = pack(block, played === frames)
    waiting.push(piece)
    size += piece.length
    if (isFirst || size >= partBytes) await flush()
    const percent = Math.floor((played / frames) * 100)
    if (percent > reported) report(percent)
    reported = percent
  }
  await flush()
  return { file: undefined, isFilled: true } satisfies RenderedFile
})

/** The passages that are played first, to find the peak of the sound. */
function probesOf(total: number, loudest: readonly number[]): Span[] {
  if (total <= shortSeconds) return [{ startSeconds: 0, blocks: blocksOf(total) }]
  return loudest.map((moment) => {
    const startSeconds = Math.max(0, moment - probeBefore)
    return { startSeconds, blocks: blocksOf(moment + probeAfter - startSeconds) }
  })
}

async function peakOfNext(blocks: AsyncGenerator<Stereo, void>, spans: readonly Span[]): Promise<number> {
  const count = spans.reduce((sum, { blocks }) => sum + blocks, 0)
  let peak = 0
  for (let taken = 0; taken < count; taken++) {
    const { value } = await blocks.next()
    if (value) peak = Math.max(peak, peakOf(value))
  }
  return peak
}

/** Silence stays silent. */
const gainFor = (peak: number) => (peak > 0 ? targetPeak / peak : 1)

/** Multiplies the samples, and fades them out at the end of the sound. */
async function* amplified(
  blocks: AsyncIterable<Stereo>,
  frames: number,
  gain: number,
): AsyncGenerator<Stereo, void> {
  let remaining = frames
  for await (const { left, right } of blocks) {
    for (let i = 0; i < blockFrames; i++) {
      left[i] = (left[i] as number) * gain
      right[i] = (right[i] as number) * gain
    }
    if (remaining < fadeFrames + blockFrames) for (const samples of [left, right]) fadeOut(samples, remaining)
    yield { left, right }
    remaining -= blockFrames
  }
}

/** @param remaining frames from the first of these samples to the end of the sound */
function fadeOut(samples: Float32Array, remaining: number): void {
  for (let i = Math.max(0, Math.ceil(remaining - fadeFrames)); i < samples.length; i++)
    samples[i] = (samples[i] as number) * Math.max(0, (remaining - i) / fadeFrames)
}

/** Limits the peaks that are higher than those of the probes, and cuts off what follows the last frame. */
async function* limited(blocks: AsyncIterable<Stereo>, frames: number): AsyncGenerator<Stereo, void> {
  const limiter = createLimiter(targetPeak)
  for await (const block of blocks) {
    const ready = limiter.next(block)
    if (ready) yield ready
  }
  const last = limiter.end()
  const length = frames % blockFrames || blockFrames
  if (last) yield { left: last.left.subarray(0, length), right: last.right.subarray(0, length) }
}

/** Makes the bytes of a block. */
type Packer = (block: Stereo, isLast: boolean) => Uint8Array

function mp3Packer(): Packer {
  encoder.configure({ sampleRate, channels: 2, bitrate })
  return ({ left, right }, isLast) => {
    // The encoder reuses its memory for the next piece, so each piece is copied.
    const piece = encoder.encode([left, right]).slice()
    return isLast ? Buffer.concat([piece, encoder.finalize()]) : piece
  }
}

function wavPacker(frames: number): Packer {
  let header: Uint8Array | undefined = wavHeader(frames)
  return (block) => {
    const samples = wavSamples(block)
    if (!header) return samples
    const piece = Buffer.concat([header, samples])
    header = undefined
    return piece
  }
}
