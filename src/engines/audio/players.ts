import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PlayerJob, PlayerOptions, Span } from './player.worker.ts'
import { smallHall } from './reverb.ts'
import { blockFrames, type Stereo } from './sound.ts'
import { type RingMemory, ringMemory, ringReader } from './sound-ring.ts'

/** Threads that play the shares of a MIDI file side by side. */
export interface Players {
  /**
   * Plays spans of a MIDI file, one after another, in a small hall. Yields their blocks. All of them must be taken before the
   * next call.
   */
  play(midi: Uint8Array, spans: readonly Span[]): AsyncGenerator<Stereo, void>
}

/** A fixed number, because it has an effect on how sums are rounded: a file has the same bytes on each machine. */
const count = 2

/**
 * Starts the threads. Resolves when they have read the sound font.
 * @param font the path of a sound font: SF2, SF3 or DLS
 */
export async function startPlayers(font: string): Promise<Players> {
  const rings: RingMemory[] = Array.from({ length: count }, ringMemory)
  const workers = rings.map(
    (ring) =>
      new Worker(new URL('./player.worker.ts', import.meta.url), {
        workerData: { font, ring } satisfies PlayerOptions,
      }),
  )
  // An error in a thread has no listener, so it ends this process.
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const reads = rings.map(ringReader)

  /** Returns the sum of the next blocks of all players. */
  async function nextBlock(hall: ReturnType<typeof smallHall>): Promise<Stereo> {
    const left = new Float32Array(blockFrames)
    const right = new Float32Array(blockFrames)
    const send = new Float32Array(blockFrames)
    for (const read of reads) {
      await read((dry) => {
        for (let i = 0; i < blockFrames; i++) {
          left[i] = (left[i] as number) + (dry.left[i] as number)
          right[i] = (right[i] as number) + (dry.right[i] as number)
          send[i] = (send[i] as number) + (dry.send[i] as number)
        }
      })
    }
    hall(send, left, right)
    return { left, right }
  }

  return {
    async *play(midi, spans) {
      for (const [index, worker] of workers.entries())
        worker.postMessage({ midi, share: { index, count }, spans } satisfies PlayerJob)
      for (const { blocks } of spans) {
        const hall = smallHall()
        for (let block = 0; block < blocks; block++) yield await nextBlock(hall)
      }
    },
  }
}
