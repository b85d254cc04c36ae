import { type Stereo, sampleRate } from './recording.ts'

/** Bytes of a frame: 16 bits for each of two channels. */
const frameBytes = 4
const headerBytes = 44

/**
 * Writes a stereo WAV file with 16 bits and 44.1 kHz (Microsoft and IBM, Multimedia Programming Interface
 * 1.0: RIFF, PCM).
 * @param frames the number of frames of the whole sound
 * @param sound samples from −1 to 1; larger values are clipped
 */
export function writeWav(frames: number, sound: Iterable<Stereo>): Uint8Array {
  const file = new Uint8Array(headerBytes + frames * frameBytes)
  const view = new DataView(file.buffer)
  const text = (offset: number, letters: string) =>
    new TextEncoder().encodeInto(letters, file.subarray(offset))
  text(0, 'RIFF')
  view.setUint32(4, file.length - 8, true)
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
  let offset = headerBytes
  for (const { left, right } of sound) {
    for (let i = 0; i < left.length; i++) {
      view.setInt16(offset, sample16(left[i] as number), true)
      view.setInt16(offset + 2, sample16(right[i] as number), true)
      offset += frameBytes
    }
  }
  return file
}

function sample16(sample: number): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)
}
