import { open } from 'node:fs/promises'

/**
 * Makes the names in a folder durable: a new one outlives a power failure only when the folder is synced, and not the
 * file alone (fsync(2)). Rejects with the error of the file system.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and keeps names by itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
