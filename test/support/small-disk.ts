import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/**
 * Makes a folder that is a disk of its own, with room for so much (`1m`), in memory.
 * @returns what takes it away again; undefined where this user may not mount one, which only root may
 */
export async function mountSmallDisk(folder: string, size: string): Promise<(() => void) | undefined> {
  await mkdir(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => execFileSync('umount', [folder])
}
