import { open } from 'node:fs/promises'

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
