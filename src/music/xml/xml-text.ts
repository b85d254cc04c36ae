import { MAX_REFERENCES, maxFor } from '../model/limits.ts'
import { characterOf } from './xml-characters.ts'
import { CARRIAGE_RETURN, type Cursor, LINE_FEED, refuseAt, SPACE } from './xml-cursor.ts'

/** Code units after which a text with references starts a new piece. Longer concatenations take many times the memory. */
const PIECE_LENGTH = 65_536

/**
 * The text with its references (`&amp;`, `&#233;`) resolved.
 * @param start the index of the text in the document, for errors
 */
export function resolveReferences(cursor: Cursor, written: string, start: number): string {
  const pieces: string[] = []
  let piece = ''
  let from = 0
  for (let index = written.indexOf('&'); index >= 0; index = written.indexOf('&', from)) {
    const end = written.indexOf(';', index)
    if (end < 0) refuseAt(cursor, start + index + 1, 'a bare ampersand, which must be written &amp;')
    piece += written.slice(from, index) + resolve(cursor, written.slice(index + 1, end), start + end + 1)
    from = end + 1
    if (piece.length > PIECE_LENGTH) {
      pieces.push(piece)
      piece = ''
    }
  }
  return pieces.join('') + piece + written.slice(from)
}

/**
 * The character of one reference.
 * @param end the index behind the reference, for errors
 */
function resolve(cursor: Cursor, name: string, end: number): string {
  const character = characterOf(name)
  if (character === undefined) {
    return refuseAt(cursor, end, name.startsWith('#') ? 'malformed character entity' : 'undefined entity')
  }
  cursor.referenceCount++
  const limit = maxFor(MAX_REFERENCES, cursor.text.length)
  if (cursor.referenceCount > limit) refuseAt(cursor, end, `there are more than ${limit} references`)
  return character
}

/**
 * The text with line feeds for line breaks of any kind (XML 1.0, section 2.11). Lines and columns stay the same. Works on
 * bytes, because replacing many places of a string takes seconds and hundreds of megabytes.
 */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r')) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === CARRIAGE_RETURN && bytes[index + 1] === LINE_FEED) continue
    bytes[length++] = byte === CARRIAGE_RETURN ? LINE_FEED : byte
  }
  return bytes.toString('utf8', 0, length)
}

/** The value of an attribute with spaces for its tabs and line breaks (XML 1.0, section 3.3.3). */
export function withSpaces(value: string): string {
  const bytes = Buffer.from(value)
  for (let index = 0; index < bytes.length; index++) if ((bytes[index] ?? 0) < SPACE) bytes[index] = SPACE
  return bytes.toString()
}
