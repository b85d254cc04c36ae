import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes the entries of a folder durable. After a power failure a new file may be missing unless its folder was synced too
 * (fsync(2)). Rejects with the error of the file system.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and does not need this.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file that is complete and durable, or does not exist: under a temporary name that is changed after the content was
 * synced. Rejects with the error of the file system, even if another writer uses the temporary name.
 */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
}
