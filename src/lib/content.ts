import { readFileSync } from 'node:fs'

/** The data that is part of Partita: lessons, demo scores, instruments. */
const folder = new URL('../../content/', import.meta.url)

/** Returns the file URL of a file or folder in `content/`. */
export function contentUrl(path: string): URL {
  return new URL(path, folder)
}

/**
 * Reads a JSON file of `content/`. The caller knows the shape of the file; a test must check it.
 * @param path relative to `content/`
 * @throws Error that names the file if it is missing or not JSON
 */
export function readContentJson(path: string): unknown {
  const text = readFileSync(contentUrl(path), 'utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`content/${path} is not JSON: ${reason}`, { cause })
  }
}
