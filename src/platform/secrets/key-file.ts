import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { keyLength, parseKeys } from '../../lib/secret-keys.ts'

const newKey = () => randomBytes(keyLength).toString('base64')

/** Reads the keys in a file that only its owner can read. Creates the file with a new key if it does not exist. */
export function readKeyFile(path: string): readonly Uint8Array[] {
  try {
    return parseKeys(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const unfinished = writeBeside(path, `${newKey()}\n`)
  try {
    // A hard link fails if another process has created the file meanwhile.
    linkSync(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  return parseKeys(readFileSync(path, 'utf8'))
}

/** Puts a new key before the keys of a file. Secrets are encrypted with it from now on. */
export function addKey(path: string): void {
  renameSync(writeBeside(path, `${newKey()}\n${readFileSync(path, 'utf8')}`), path)
}

function writeBeside(path: string, text: string): string {
  const unfinished = `${path}.${process.pid}.part`
  writeFileSync(unfinished, text, { mode: 0o600, flush: true })
  return unfinished
}
