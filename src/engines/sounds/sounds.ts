import { type ByteCache, byteCache } from '../../lib/byte-cache.ts'
import { second } from '../../lib/durations.ts'
import { sharedRuns, type Waiter } from '../../lib/shared-runs.ts'
import type { SoundFont } from '../audio/sound-font.ts'
import { createPool } from '../hosts/pool.ts'
import { threadHost } from '../hosts/thread-host.ts'
import type { SoundJob } from './sound.worker.ts'

/** A sound of General MIDI. Numbers are from 0 to 127. */
export interface Sound {
  readonly isDrumKit: boolean
  readonly bank: number
  readonly program: number
}

/** Takes single sounds out of the sound font, so that a browser loads only those that a score needs. */
export interface Sounds {
  /**
   * Returns a sound font with one preset and its samples, as SF2 or SF3. If the font does not have the sound, it is a similar
   * one, under the number that was asked for.
   * @throws SERVER_BUSY, ENGINE_TIMEOUT or ENGINE_UNAVAILABLE
   */
  find(sound: Sound, waiter: Waiter): Promise<Uint8Array>
  /** Reads the sound font and keeps the piano. Without this call, the font is read for the first sound. */
  warm(): Promise<void>
  close(): Promise<void>
}

/** Bytes of all sounds that are kept in memory. Those of an orchestra have about 8 MB. */
const keptBytes = 32 * 1024 ** 2
/** The heap of the thread, in MiB, beyond what the font takes. */
const heap = 192

/** Starts no thread before the first sound. */
export function createSounds(font: SoundFont): Sounds {
  const pool = createPool<SoundJob, Uint8Array>({
    startHost: threadHost(
      new URL('./sound.worker.ts', import.meta.url),
      heap + Math.ceil((4 * font.size) / 1024 ** 2),
    ),
    size: 1,
    timeLimit: 20 * second,
    idleLimit: 60 * second,
  })
  const kept: ByteCache<Uint8Array> = byteCache(keptBytes)
  const run = sharedRuns()
  const sounds: Sounds = {
    async find({ isDrumKit, bank, program }, waiter) {
      const key = `${isDrumKit ? 'drums' : bank} ${program}`
      const known = kept.get(key)
      if (known) return known
      return run(key, waiter, async ({ callers, signal }) => {
        const job = { font: font.path, isDrumKit, bank, program }
        const bytes = await pool.run(job, { callers, signal })
        kept.set(key, bytes, bytes.length)
        return bytes
      })
    },
    async warm() {
      const piano = { isDrumKit: false, bank: 0, program: 0 }
      await sounds.find(piano, { caller: 'server' })
    },
    close: () => pool.close(),
  }
  return sounds
}
