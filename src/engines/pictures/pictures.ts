import { Failure, fail } from '../../errors.ts'
import { pictureTypeOf } from '../../lib/picture-type.ts'
import type { Waiter } from '../../lib/shared-runs.ts'
import { HostError } from '../hosts/host.ts'
import { createPool } from '../hosts/pool.ts'
import { processHost } from '../hosts/process-host.ts'
import type { PictureJob } from './picture.child.ts'

/** Resizes pictures that users upload, in a child process, because the decoders are foreign code. */
export interface Pictures {
  /**
   * Crops a picture to the proportions of `size` around its centre, and resizes it to `size` in pixels. The result is WebP
   * without metadata: upright, in sRGB, and without the location of the camera.
   * @param bytes PNG, JPEG or WebP of at most 64 million pixels
   * @throws UNREADABLE_PICTURE, SERVER_BUSY, ENGINE_TIMEOUT or ENGINE_UNAVAILABLE
   */
  crop(bytes: Uint8Array, size: { width: number; height: number }, waiter: Waiter): Promise<Uint8Array>
  close(): Promise<void>
}

/** Resident memory of the process, in bytes. */
const memoryLimit = 768 * 1024 ** 2
/** In milliseconds. */
const timeLimit = 15_000
const idleLimit = 60_000
const jobsOfProcess = 50
/** The bytes of a picture that take as long as the start of its work. */
const doublingSize = 1024 ** 2

/** Starts no process before the first picture. */
export function createPictures(): Pictures {
  const pool = createPool<PictureJob, Uint8Array>({
    startHost: processHost(new URL('./picture.child.ts', import.meta.url), { memory: memoryLimit }),
    size: 1,
    timeLimit,
    idleLimit,
    recycleAfter: jobsOfProcess,
    recycleAbove: memoryLimit / 2,
  })
  return {
    async crop(bytes, { width, height }, { caller, signal }) {
      if (!pictureTypeOf(bytes)) fail('UNREADABLE_PICTURE', { param: 'image' })
      const cost = 1 + bytes.length / doublingSize
      try {
        return await pool.run({ bytes, width, height }, { callers: [caller], signal, cost })
      } catch (cause) {
        throw cause instanceof HostError
          ? new Failure('UNREADABLE_PICTURE', { param: 'image', cause })
          : cause
      }
    },
    close: () => pool.close(),
  }
}
