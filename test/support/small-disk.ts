import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/**
 * Mounts an in-memory file system of this size (such as `1m`) at a folder, which it creates.
 * @returns a function that unmounts it; undefined if this user may not mount, which needs root
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
