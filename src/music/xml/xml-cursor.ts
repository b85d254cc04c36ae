import { fail } from '../../errors.ts'
import { excerpt, MAX_NAMES } from '../model/limits.ts'
import { isXmlName } from './xml-characters.ts'

/** Code units of the characters that the grammar of XML names. */
const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const BANG = 0x21
export const DOUBLE_QUOTE = 0x22
export const AMPERSAND = 0x26
export const SINGLE_QUOTE = 0x27
export const SLASH = 0x2f
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const QUESTION = 0x3f

/** A position in an XML text that moves forward as the text is read, and what was read so far. */
export interface Cursor {
  /** The whole text, with line feeds for line breaks of any kind. */
  readonly text: string
  /** The index of the next code unit. An error is reported for the character before it. */
  at: number
  /** Every name that was read, so that equal names are the same string and are checked once. */
  readonly names: Map<string, string>
  /** The names of the elements that are still open, the innermost last. */
  readonly openNames: string[]
  /** The index of the start tag of each of these elements. */
  readonly openStarts: number[]
  attributeCount: number
  referenceCount: number
}

export function createCursor(text: string): Cursor {
  return {
    text,
    at: 0,
    names: new Map(),
    openNames: [],
    openStarts: [],
    attributeCount: 0,
    referenceCount: 0,
  }
}

/** @throws INVALID_MUSICXML with the line and column of the last character that was read */
export function refuse(cursor: Cursor, problem: string): never {
  return refuseAt(cursor, cursor.at, problem)
}

/** @throws INVALID_MUSICXML with the line and column of the character before `end` */
export function refuseAt({ text }: Cursor, end: number, problem: string): never {
  const lineStart = text.lastIndexOf('\n', end - 1) + 1
  const column = characterCount(text, lineStart, end)
  return fail('INVALID_MUSICXML', {
    message: `Line ${lineOf(text, lineStart)}, column ${column}: ${problem}.`,
  })
}

/** @throws INVALID_MUSICXML for a text that ends too early, with the innermost open element */
export function refuseEnd(cursor: Cursor): never {
  cursor.at = cursor.text.length
  const name = cursor.openNames.at(-1)
  if (name === undefined) return refuse(cursor, 'the file ends too early')
  return refuse(
    cursor,
    `the file ends inside <${excerpt(name)}>, which line ${lineOfInnermost(cursor)} opens`,
  )
}

/** The line of the start tag of the innermost open element. */
export function lineOfInnermost({ text, openStarts }: Cursor): number {
  return lineOf(text, openStarts.at(-1) ?? 0)
}

/** The code unit at the cursor, or 0 at the end. The text contains no code unit 0. */
export function peek({ text, at }: Cursor): number {
  return at < text.length ? text.charCodeAt(at) : 0
}

/** The same, and moves behind it. Moves even at the end. */
export function take(cursor: Cursor): number {
  const code = peek(cursor)
  cursor.at++
  return code
}

export function isAt({ text, at }: Cursor, expected: string): boolean {
  return text.startsWith(expected, at)
}

export function isAtEnd({ text, at }: Cursor): boolean {
  return at >= text.length
}

export function skipSpace(cursor: Cursor): void {
  const { text } = cursor
  let at = cursor.at
  for (let code = codeAt(text, at); code === SPACE || code === LINE_FEED || code === TAB; ) {
    code = codeAt(text, ++at)
  }
  cursor.at = at
}

/** Moves behind the next `end`. Returns the index at which `end` begins. */
export function skipPast(cursor: Cursor, end: string, from: number): number {
  const index = cursor.text.indexOf(end, from)
  if (index < 0) refuseEnd(cursor)
  cursor.at = index + end.length
  return index
}

/** Reads a name. `kind` describes the name in error messages. */
export function readName(cursor: Cursor, kind: string): string {
  const start = cursor.at
  skipNameCharacters(cursor)
  const written = cursor.text.slice(start, cursor.at)
  const known = cursor.names.get(written)
  if (known !== undefined) return known
  if (isAtEnd(cursor)) refuseEnd(cursor)
  if (!isXmlName(written)) refuseAt(cursor, start + 1, `disallowed character in ${kind}`)
  if (cursor.names.size >= MAX_NAMES) {
    refuse(cursor, `elements and attributes have more than ${MAX_NAMES} different names`)
  }
  cursor.names.set(written, written)
  return written
}

function skipNameCharacters(cursor: Cursor): void {
  const { text } = cursor
  let at = cursor.at
  while (mayContinueName(codeAt(text, at))) at++
  cursor.at = at
}

/**
 * Whether a name may go on with that code unit. This is a quick test for the end of a name: some code units that pass are
 * not allowed in names, and `isXmlName` finds them.
 */
export function mayContinueName(code: number): boolean {
  return code > GREATER || (code > SINGLE_QUOTE && code < LESS && code !== SLASH)
}

function codeAt(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) : 0
}

/** Returns a function for the line of the cursor, from 1. It counts only the lines since the call before. */
export function lineCounter(cursor: Cursor): () => number {
  let line = 1
  let counted = 0
  return () => {
    line += lineFeeds(cursor.text, counted, cursor.at)
    counted = cursor.at
    return line
  }
}

/** The number of the line that contains that index, from 1. */
const lineOf = (text: string, index: number): number => 1 + lineFeeds(text, 0, index)

function lineFeeds(text: string, start: number, end: number): number {
  let count = 0
  for (let index = start; index < end; index++) if (text.charCodeAt(index) === LINE_FEED) count++
  return count
}

/** The number of characters between two indexes. A character of two code units counts once. */
function characterCount(text: string, start: number, end: number): number {
  let count = 0
  for (let index = start; index < end; index++) if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) count++
  return count
}
