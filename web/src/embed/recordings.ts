/** Bits a second of the recordings that the server makes. */
const bitRate = 160_000

/**
 * Reads a recording, and tells how much of it has arrived.
 * @param duration seconds; 0 if it is not known
 */
export async function mp3WithProgress(
  response: Response,
  duration: number,
  tell: (progress: { format: 'mp3'; progress: number }) => void,
): Promise<Uint8Array> {
  const expected = Number(response.headers.get('Content-Length')) || (duration * bitRate) / 8
  const reader = response.body?.getReader()
  const parts: BlobPart[] = []
  let received = 0
  tell({ format: 'mp3', progress: 0 })
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || !value) break
    parts.push(value)
    received += value.length
    if (expected > 0) tell({ format: 'mp3', progress: Math.min(99, Math.round((received / expected) * 100)) })
  }
  tell({ format: 'mp3', progress: 100 })
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** Returns a recording as WAV with 16 bits. The server makes none for visitors, because the files are large. */
export async function wavOf(mp3: Uint8Array): Promise<Uint8Array> {
  const sampleRate = 44_100
  const decoder = new OfflineAudioContext({ numberOfChannels: 2, length: 1, sampleRate })
  const sound = await decoder.decodeAudioData(new Uint8Array(mp3).buffer)
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index))
  const blockBytes = 2 * channels.length
  const bytes = new Uint8Array(44 + sound.length * blockBytes)
  const view = new DataView(bytes.buffer)
  const mark = (at: number, name: string) => {
    for (const [index, letter] of [...name].entries()) bytes[at + index] = letter.charCodeAt(0)
  }
  mark(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  mark(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, channels.length, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * blockBytes, true)
  view.setUint16(32, blockBytes, true)
  view.setUint16(34, 16, true)
  mark(36, 'data')
  view.setUint32(40, bytes.length - 44, true)
  let at = 44
  for (let frame = 0; frame < sound.length; frame++)
    for (const channel of channels) {
      const sample = Math.max(-1, Math.min(1, channel[frame] ?? 0))
      view.setInt16(at, Math.round(sample * 0x7fff), true)
      at += 2
    }
  return bytes
}
