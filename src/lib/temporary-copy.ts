import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredCopy } from './growing-file.ts'

/**
 * Writes bytes to a file without a name, which the system deletes when it is released or when the process ends.
 * @param folder where the file is; it is created if it does not exist
 */
export async function temporaryCopy(folder: string, bytes: Uint8Array): Promise<Required<StoredCopy>> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+')
  try {
    await unlink(path)
    await file.writeFile(bytes)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    open: async () => file.createReadStream({ start: 0, autoClose: false }),
    release: () => void file.close(),
  }
}
