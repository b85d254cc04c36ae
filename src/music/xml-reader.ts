import { fail } from '../errors.ts'
import { newAttributes, noAttributes } from './document.ts'
import {
  excerpt,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_TOGETHER,
  MAX_DOCTYPE_LENGTH,
  MAX_NAMES,
  MAX_REFERENCES,
} from './score-limits.ts'
import { characterOf, firstForbidden, isXmlName, isXmlWhiteSpace } from './xml-characters.ts'

/** Who reads a document is told what is in it, in its order. Comments and processing instructions are passed over. */
export interface XmlEvents {
  /** A start tag whose name is known, before its attributes are read. */
  start?(name: string): void
  /** The same tag, read to its end. Equal names are the same string. */
  open(name: string, attributes: Record<string, string>): void
  /** Character data between two tags, comments or the like; never empty. `isBlank` is whether it is white space. */
  text?(text: string, isBlank: boolean): void
  /** The end of the element that was opened last and is still open. */
  close?(): void
}

/** Refuses the document, saying what is wrong; where, is added. */
export type Refuse = (what: string) => never

/** How long a text is put together bit by bit, in UTF-16 code units: that takes many times as much. */
const PIECE_LENGTH = 65_536

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const BANG = 0x21
const DOUBLE_QUOTE = 0x22
const AMPERSAND = 0x26
const SINGLE_QUOTE = 0x27
const SLASH = 0x2f
const LESS = 0x3c
const EQUALS = 0x3d
const GREATER = 0x3e
const QUESTION = 0x3f

/** XML 1.0, section 2.8; the versions to come that section 2.8 speaks of are read as 1.0. */
const declaration =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])1\.\d+\1(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\3)?[ \t\n]*\?>/y

/**
 * Reads a document of XML 1.0 (fifth edition), with all that well-formedness asks for. Of a DOCTYPE no more is read than
 * where it ends, nothing outside of the file is ever fetched, and a DOCTYPE that declares entities is refused.
 *
 * Time and memory are in proportion to the length of the file, whatever is in it, which is why this is our own.
 * Fails with INVALID_MUSICXML, naming line and column.
 * @param xml without a byte order mark
 * @param eventsOf what is told of the content; it may refuse it where the reader then is
 */
export function readXml(xml: string, eventsOf: (refuse: Refuse) => XmlEvents): void {
  const forbidden = firstForbidden(xml)
  const text = withLineFeeds(forbidden < 0 ? xml : xml.slice(0, forbidden + 1))
  /** As far as the document is read. */
  let at = 0
  const names = new Map<string, string>()
  const open: string[] = []
  const openedAt: number[] = []
  let attributeCount = 0
  let referenceCount = 0

  const refuseAt = (read: number, what: string): never => {
    const start = text.lastIndexOf('\n', read - 1) + 1
    const column = characterCount(text, start, read)
    return fail('INVALID_MUSICXML', { message: `Line ${lineOf(text, start)}, column ${column}: ${what}.` })
  }
  const refuse: Refuse = (what) => refuseAt(at, what)
  const events = eventsOf(refuse)

  const codeAt = (index: number): number => (index < text.length ? text.charCodeAt(index) : 0)

  function skipSpace(): void {
    for (let code = codeAt(at); code === SPACE || code === LINE_FEED || code === TAB; code = codeAt(at)) at++
  }

  function refuseEnd(): never {
    at = text.length
    const name = open.at(-1)
    if (name === undefined) return refuse('the file ends too early')
    return refuse(`the file ends inside <${excerpt(name)}>, which line ${lineOf(text, openedAt.at(-1) ?? 0)} opens`)
  }

  /** Goes on behind the next `end`; the index at which that begins. */
  function skipPast(end: string, from: number): number {
    const index = text.indexOf(end, from)
    if (index < 0) refuseEnd()
    at = index + end.length
    return index
  }

  /** Reads a name. One that was read before is the same string again, and was checked then. */
  function readName(what: string): string {
    const start = at
    for (let code = codeAt(at); isInName(code); code = codeAt(at)) at++
    const written = text.slice(start, at)
    const known = names.get(written)
    if (known !== undefined) return known
    if (at === text.length) refuseEnd()
    if (!isXmlName(written)) refuseAt(start + 1, `disallowed character in ${what}`)
    if (names.size >= MAX_NAMES) refuse(`elements and attributes have more than ${MAX_NAMES} different names`)
    names.set(written, written)
    return written
  }

  function readAttributes(): Record<string, string> {
    let attributes = noAttributes
    for (let count = 1; ; count++) {
      const before = at
      skipSpace()
      const code = codeAt(at)
      if (code === GREATER || code === SLASH) return attributes
      if (at === before) {
        if (at === text.length) refuseEnd()
        at++
        refuse('disallowed character in a tag')
      }
      const name = readName('an attribute name')
      if (count === 1) attributes = newAttributes()
      else if (name in attributes) refuse(`duplicate attribute: ${excerpt(name)}`)
      if (count > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`)
      attributeCount++
      if (attributeCount > MAX_ATTRIBUTES_TOGETHER) refuse(`there are more than ${MAX_ATTRIBUTES_TOGETHER} attributes`)
      skipSpace()
      if (codeAt(at++) !== EQUALS) refuse(`the attribute ${excerpt(name)} has no value`)
      skipSpace()
      const quote = codeAt(at++)
      if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) refuse('an attribute value without quotes')
      attributes[name] = readValue(quote)
    }
  }

  function readValue(quote: number): string {
    const start = at
    let isPlain = true
    for (let code = codeAt(at); code !== quote; code = codeAt(at)) {
      if (code < SPACE) {
        if (at >= text.length) refuseEnd()
        isPlain = false
      } else if (code === AMPERSAND) isPlain = false
      else if (code === LESS) {
        at++
        refuse('disallowed character in an attribute value')
      }
      at++
    }
    const value = text.slice(start, at++)
    return isPlain ? value : resolved(withSpaces(value), start)
  }

  /** The text with its references resolved. @param start where it stands in the document */
  function resolved(written: string, start: number): string {
    const pieces: string[] = []
    let piece = ''
    let from = 0
    for (let index = written.indexOf('&'); index >= 0; index = written.indexOf('&', from)) {
      const end = written.indexOf(';', index)
      if (end < 0) refuseAt(start + index + 1, 'a bare ampersand, which must be written &amp;')
      const name = written.slice(index + 1, end)
      const character = characterOf(name)
      if (character === undefined) {
        refuseAt(start + end + 1, name.startsWith('#') ? 'malformed character entity' : 'undefined entity')
      }
      referenceCount++
      if (referenceCount > MAX_REFERENCES) refuseAt(start + end + 1, `there are more than ${MAX_REFERENCES} references`)
      piece += written.slice(from, index) + character
      from = end + 1
      if (piece.length > PIECE_LENGTH) {
        pieces.push(piece)
        piece = ''
      }
    }
    return pieces.join('') + piece + written.slice(from)
  }

  /** `<` stands where the reader is, and an element is to begin. */
  function readStartTag(): void {
    const start = at++
    const name = readName('a tag name')
    events.start?.(name)
    const attributes = readAttributes()
    const isEmpty = codeAt(at) === SLASH
    if (isEmpty) at++
    if (codeAt(at++) !== GREATER) {
      if (at > text.length) refuseEnd()
      refuse('disallowed character in a tag')
    }
    events.open(name, attributes)
    if (isEmpty) events.close?.()
    else {
      open.push(name)
      openedAt.push(start)
    }
  }

  function readEndTag(): void {
    at += 2
    const name = open.at(-1) ?? ''
    const isRight = text.startsWith(name, at) && !isInName(codeAt(at + name.length))
    if (!isRight) {
      readName('a tag name')
      skipSpace()
      if (codeAt(at) === GREATER) at++
      const line = lineOf(text, openedAt.at(-1) ?? 0)
      refuse(`another element is closed than the open <${excerpt(name)}> of line ${line}`)
    }
    at += name.length
    skipSpace()
    if (codeAt(at++) !== GREATER) {
      if (at > text.length) refuseEnd()
      refuse('disallowed character in a closing tag')
    }
    open.pop()
    openedAt.pop()
    events.close?.()
  }

  function readComment(): void {
    skipPast('--', at + '<!--'.length)
    if (codeAt(at++) !== GREATER) refuse('a comment holds --')
  }

  function readInstruction(): void {
    at += 2
    const start = at
    for (let code = codeAt(at); isInName(code) && code !== QUESTION; code = codeAt(at)) at++
    const target = text.slice(start, at)
    if (!isXmlName(target)) refuse('disallowed character in the name of a processing instruction')
    if (target.toLowerCase() === 'xml') refuse('an XML declaration stands at the start of a file only')
    if (!isXmlWhiteSpace(text.charAt(at)) && !text.startsWith('?>', at)) {
      refuse('disallowed character in the name of a processing instruction')
    }
    skipPast('?>', at)
  }

  function readDoctype(): void {
    const start = at
    at += '<!DOCTYPE'.length
    for (let isInternal = false; ; at++) {
      if (at >= text.length) refuseEnd()
      if (at - start > MAX_DOCTYPE_LENGTH) refuse(`the DOCTYPE is longer than ${MAX_DOCTYPE_LENGTH} characters`)
      const character = text.charAt(at)
      if (character === '>' && !isInternal) break
      if (character === '"' || character === "'") at = skipPast(character, at + 1)
      else if (character === '[' || character === ']') isInternal = character === '['
      else if (isInternal && text.startsWith('<!--', at)) at = skipPast('-->', at + 4) + 2
      else if (isInternal && text.startsWith('<?', at)) at = skipPast('?>', at + 2) + 1
    }
    at++
    if (text.slice(start, at).includes('<!ENTITY')) refuse('the DOCTYPE declares entities, which is not allowed')
  }

  /** What may stand before and behind the root element: up to its start tag, or to the end. */
  function readAround(mayHaveDoctype: boolean): void {
    let hasDoctype = !mayHaveDoctype
    for (skipSpace(); at < text.length; skipSpace()) {
      if (text.startsWith('<!--', at)) readComment()
      else if (text.startsWith('<?', at)) readInstruction()
      else if (text.startsWith('<!DOCTYPE', at) && !hasDoctype) {
        readDoctype()
        hasDoctype = true
      } else if (codeAt(at) === LESS) return
      else {
        at++
        refuse('text data outside of the root element')
      }
    }
  }

  function readContent(): void {
    while (open.length > 0) {
      readCharacters()
      switch (codeAt(at + 1)) {
        case SLASH:
          readEndTag()
          break
        case QUESTION:
          readInstruction()
          break
        case BANG:
          if (text.startsWith('<!--', at)) readComment()
          else if (text.startsWith('<![CDATA[', at)) {
            const start = at + '<![CDATA['.length
            const end = skipPast(']]>', start)
            if (end > start) tellText(text.slice(start, end))
          } else {
            at += 2
            refuse('neither a comment nor CDATA')
          }
          break
        default:
          readStartTag()
      }
    }
  }

  const tellText = (data: string): void => events.text?.(data, isXmlWhiteSpace(data))

  /** Character data up to the next `<`. */
  function readCharacters(): void {
    const start = at
    let isBlank = true
    let hasReference = false
    for (let code = codeAt(at); code !== LESS; code = codeAt(at)) {
      if (code > SPACE) isBlank = false
      if (code === AMPERSAND) hasReference = true
      else if (code === GREATER && at - start >= 2 && text.startsWith(']]', at - 2)) {
        at++
        refuse('the string "]]>" is disallowed in text')
      } else if (code === 0) refuseEnd()
      at++
    }
    if (at === start) return
    const written = text.slice(start, at)
    if (hasReference) tellText(resolved(written, start))
    else events.text?.(written, isBlank)
  }

  if (forbidden >= 0) refuseAt(text.length, 'a character that is disallowed in XML')
  if (text.startsWith('<?xml') && !isInName(codeAt(5))) {
    declaration.lastIndex = 0
    if (!declaration.test(text)) {
      at = 5
      refuse('the XML declaration is malformed')
    }
    at = declaration.lastIndex
  }
  readAround(true)
  if (at === text.length) refuse('there is no root element')
  readStartTag()
  readContent()
  readAround(false)
  if (at < text.length) refuse('something follows the one root element')
}

/** Whether a name may go on with that code unit: what cannot be in one, but ends none, is found when it is checked. */
function isInName(code: number): boolean {
  return code > GREATER || (code > AMPERSAND + 1 && code < LESS && code !== SLASH)
}

/** The text with line feeds for line breaks of any kind (XML 1.0, section 2.11). Lines and columns stay what they were. */
function withLineFeeds(text: string): string {
  if (!text.includes('\r')) return text
  // In place: to replace in strings takes seconds and hundreds of megabytes where there is much to replace.
  const bytes = Buffer.from(text)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte === CARRIAGE_RETURN && bytes[index + 1] === LINE_FEED) continue
    bytes[length++] = byte === CARRIAGE_RETURN ? LINE_FEED : byte
  }
  return bytes.toString('utf8', 0, length)
}

/** An attribute's value with spaces for white space that is written as such (XML 1.0, section 3.3.3). */
function withSpaces(value: string): string {
  const bytes = Buffer.from(value)
  for (let index = 0; index < bytes.length; index++) if ((bytes[index] ?? 0) < SPACE) bytes[index] = SPACE
  return bytes.toString()
}

/** The number of the line on which that character stands. */
function lineOf(text: string, index: number): number {
  let line = 1
  for (let before = 0; before < index; before++) if (text.charCodeAt(before) === LINE_FEED) line++
  return line
}

/** How many characters there are, those of two code units counted once. */
function characterCount(text: string, start: number, end: number): number {
  let count = 0
  for (let index = start; index < end; index++) if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) count++
  return count
}
