import { type Stereo, sampleRate } from './sound.ts'

/** Bytes of a frame: 16 bits for each of two channels. */
const frameBytes = 4
const headerBytes = 44

/**
 * Returns the header of a stereo WAV file with 16 bits and 44.1 kHz (Microsoft and IBM, Multimedia Programming Interface
 * 1.0: RIFF, PCM).
 * @param frames the number of frames of the whole sound
 */
export function wavHeader(frames: number): Uint8Array {
  const header = new Uint8Array(headerBytes)
  const view = new DataView(header.buffer)
  const text = (offset: number, letters: string) =>
    new TextEncoder().encodeInto(letters, header.subarray(offset))
  text(0, 'RIFF')
  view.setUint32(4, headerBytes - 8 + frames * frameBytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 2, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * frameBytes, true)
  view.setUint16(32, frameBytes, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, frames * frameBytes, true)
  return header
}

/**
 * Returns the samples of a WAV file, which follow its header.
 * @param sound samples from −1 to 1; larger values are clipped
 */
export function wavSamples({ left, right }: Stereo): Uint8Array {
  const samples = new Int16Array(2 * left.length)
  for (let i = 0; i < left.length; i++) {
    samples[2 * i] = sample16(left[i] as number)
    samples[2 * i + 1] = sample16(right[i] as number)
  }
  // Every platform of Node is little-endian in practice, but s390x is not.
  const bytes = Buffer.from(samples.buffer)
  return isLittleEndian ? bytes : bytes.swap16()
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

function sample16(sample: number): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
}
