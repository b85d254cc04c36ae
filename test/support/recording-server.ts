import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const samplesPerSecond = 8000

/** Returns silence as a WAV file of 8 bits (RIFF WAVE). */
function silence(seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * samplesPerSecond, 128)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(samplesPerSecond, 24)
  header.writeUInt32LE(samplesPerSecond, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** A server of another origin that has one recording, at `/recording.wav`. */
export interface RecordingServer {
  readonly origin: string
  close(): Promise<void>
}

/** @param seconds the length of the recording */
export async function recordingServer(seconds: number): Promise<RecordingServer> {
  const file = silence(seconds)
  const server: Server = createServer((request, response) => {
    if (request.url !== '/recording.wav') return response.writeHead(404).end()
    // A browser can go to a place of a file only if the server sends ranges.
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const headers = {
      'Content-Type': 'audio/wav',
      'Accept-Ranges': 'bytes',
      'Content-Length': file.length - start,
      'Content-Range': `bytes ${start}-${file.length - 1}/${file.length}`,
    }
    return response.writeHead(206, headers).end(file.subarray(start))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
