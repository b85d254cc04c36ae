import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { SoundBankLoader } from 'spessasynth_core'
import { lowerPriority } from '../../lib/priority.ts'
import { type RingMemory, ringWriter } from './sound-ring.ts'
import { readShare, type Share, startPlaying } from './synthesis.ts'

/** The settings of a player thread: the file of the sound font, and the ring that it writes its blocks to. */
export interface PlayerOptions {
  readonly font: string
  readonly ring: RingMemory
}

/** A part of the music that is played from its beginning in silence. */
export interface Span {
  readonly startSeconds: number
  readonly blocks: number
}

/** Spans to play, one after another. */
export interface PlayerJob {
  readonly midi: Uint8Array
  readonly share: Share
  readonly spans: readonly Span[]
}

// The players use all cores for seconds, while a page is engraved in less than one.
lowerPriority(9)

const { font, ring } = workerData as PlayerOptions
const bank = SoundBankLoader.fromArrayBuffer(new Uint8Array(await readFile(font)).buffer)
const write = ringWriter(ring)

parentPort?.on('message', async ({ midi, share, spans }: PlayerJob) => {
  const file = readShare(midi, share)
  for (const { startSeconds, blocks } of spans) {
    const add = await startPlaying(bank, file, startSeconds)
    for (let block = 0; block < blocks; block++) write(add)
  }
})
parentPort?.postMessage('ready')
