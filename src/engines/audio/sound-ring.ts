import { blockFrames, type Stereo } from './sound.ts'

/** A block of sound before reverberation, and what of it the hall reflects. All have `blockFrames` samples. */
export interface DryBlock extends Stereo {
  send: Float32Array
}

/** Memory that two threads share: the counts of written and read blocks, and the samples of the blocks between them. */
export interface RingMemory {
  readonly counts: SharedArrayBuffer
  readonly samples: SharedArrayBuffer
}

/** Blocks that a writer can be ahead of the reader: 1.5 s of sound, in 786 kB. */
const slots = 16
const written = 0
const read = 1

/** Allocates an empty ring. */
export const ringMemory = (): RingMemory => ({
  counts: new SharedArrayBuffer(8),
  samples: new SharedArrayBuffer(slots * 3 * blockFrames * 4),
})

/** The blocks of the slots, as views of the memory. */
function blocksOf({ samples }: RingMemory): DryBlock[] {
  const view = (index: number) => new Float32Array(samples, index * blockFrames * 4, blockFrames)
  return Array.from({ length: slots }, (_, slot) => ({
    left: view(3 * slot),
    right: view(3 * slot + 1),
    send: view(3 * slot + 2),
  }))
}

const blockAt = (blocks: readonly DryBlock[], count: number) => blocks[count % slots] as DryBlock

/**
 * Returns a function that lets `fill` write the next block, which is silent before. It stops its thread while the reader is
 * behind.
 */
export function ringWriter(memory: RingMemory): (fill: (block: DryBlock) => void) => void {
  const counts = new Int32Array(memory.counts)
  const blocks = blocksOf(memory)
  return (fill) => {
    const count = Atomics.load(counts, written)
    for (let done = Atomics.load(counts, read); count - done >= slots; done = Atomics.load(counts, read))
      Atomics.wait(counts, read, done)
    const block = blockAt(blocks, count)
    for (const samples of Object.values(block)) samples.fill(0)
    fill(block)
    Atomics.store(counts, written, count + 1)
    Atomics.notify(counts, written)
  }
}

/**
 * Returns a function that passes the next block to `use` and releases it. It waits for the writer without stopping its
 * thread.
 */
export function ringReader(memory: RingMemory): (use: (block: DryBlock) => void) => Promise<void> {
  const counts = new Int32Array(memory.counts)
  const blocks = blocksOf(memory)
  return async (use) => {
    const count = Atomics.load(counts, read)
    while (Atomics.load(counts, written) === count) await Atomics.waitAsync(counts, written, count).value
    use(blockAt(blocks, count))
    Atomics.store(counts, read, count + 1)
    Atomics.notify(counts, read)
  }
}
