import { newAttributes, noAttributes } from '../model/document.ts'
import {
  excerpt,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_TOGETHER,
  MAX_DOCTYPE_LENGTH,
  maxFor,
} from '../model/limits.ts'
import { firstForbidden, isXmlName, isXmlWhiteSpace } from './xml-characters.ts'
import {
  AMPERSAND,
  BANG,
  type Cursor,
  createCursor,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isAt,
  isAtEnd,
  LESS,
  lineCounter,
  lineOfInnermost,
  mayContinueName,
  peek,
  QUESTION,
  readName,
  refuse,
  refuseAt,
  refuseEnd,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
  skipPast,
  skipSpace,
  take,
} from './xml-cursor.ts'
import { resolveReferences, withLineFeeds, withSpaces } from './xml-text.ts'

/** Receives the content of a document in its order. Comments and processing instructions are skipped. */
export interface XmlEvents {
  /** A start tag whose name was read, before its attributes. */
  start?(name: string): void
  /** The same tag, read to its end. Equal names are the same string. */
  open(name: string, attributes: Record<string, string>): void
  /** Character data between two tags, comments or the like; never empty. `isBlank` is true for white space. */
  text?(text: string, isBlank: boolean): void
  /** The end of the innermost open element. */
  close?(): void
}

/** The place that the reader has reached. */
export interface XmlPlace {
  /** Refuses the document for that problem. The message gets the line and column. */
  refuse(problem: string): never
  /** The number of the line, from 1. */
  line(): number
}

/** XML 1.0, section 2.8. Later versions 1.x are read as 1.0, as that section demands. */
const declaration =
  /<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(["'])1\.\d+\1(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])[A-Za-z][\w.-]*\2)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\3)?[ \t\n]*\?>/y

/**
 * Reads a document of XML 1.0 (fifth edition) and checks that it is well-formed. Of a DOCTYPE, only the end is found; a
 * DOCTYPE that declares entities is refused, and nothing outside of the file is ever fetched.
 *
 * We have our own reader because its time and memory are proportional to the length of the file, whatever the file holds.
 * @param xml without a byte order mark
 * @param eventsOf receives the place in the document, which moves on as it is read, and returns the receiver
 * @throws INVALID_MUSICXML with line and column
 */
export function readXml(xml: string, eventsOf: (place: XmlPlace) => XmlEvents): void {
  const forbidden = firstForbidden(xml)
  const cursor = createCursor(withLineFeeds(forbidden < 0 ? xml : xml.slice(0, forbidden + 1)))
  const events = eventsOf({ refuse: (problem) => refuse(cursor, problem), line: lineCounter(cursor) })
  if (forbidden >= 0) refuseAt(cursor, cursor.text.length, 'a character that is disallowed in XML')
  readRootTag(cursor, events)
  while (cursor.openNames.length > 0) {
    readCharacterData(cursor, events)
    readMarkup(cursor, events)
  }
  skipMisc(cursor, { mayHaveDoctype: false })
  if (!isAtEnd(cursor)) refuse(cursor, 'something follows the one root element')
}

/**
 * Reads the start of a document up to the end of its first start tag. The text after it need not be well-formed.
 * @param open receives the first tag
 * @throws INVALID_MUSICXML with line and column
 */
export function readXmlRoot(xml: string, open: XmlEvents['open']): void {
  const forbidden = firstForbidden(xml)
  const cursor = createCursor(withLineFeeds(forbidden < 0 ? xml : xml.slice(0, forbidden)))
  readRootTag(cursor, { open })
}

function readRootTag(cursor: Cursor, events: XmlEvents): void {
  skipDeclaration(cursor)
  skipMisc(cursor, { mayHaveDoctype: true })
  if (isAtEnd(cursor)) refuse(cursor, 'there is no root element')
  readStartTag(cursor, events)
}

function skipDeclaration(cursor: Cursor): void {
  if (!isAt(cursor, '<?xml') || mayContinueName(cursor.text.charCodeAt('<?xml'.length))) return
  declaration.lastIndex = 0
  if (!declaration.test(cursor.text)) {
    cursor.at = '<?xml'.length
    refuse(cursor, 'the XML declaration is malformed')
  }
  cursor.at = declaration.lastIndex
}

/** Skips what may surround the root element: up to its start tag, or to the end of the text. */
function skipMisc(cursor: Cursor, { mayHaveDoctype }: { mayHaveDoctype: boolean }): void {
  let doctypeAllowed = mayHaveDoctype
  for (skipSpace(cursor); !isAtEnd(cursor); skipSpace(cursor)) {
    if (isAt(cursor, '<!--')) skipComment(cursor)
    else if (isAt(cursor, '<?')) skipInstruction(cursor)
    else if (doctypeAllowed && isAt(cursor, '<!DOCTYPE')) {
      skipDoctype(cursor)
      doctypeAllowed = false
    } else if (peek(cursor) === LESS) return
    else {
      cursor.at++
      refuse(cursor, 'text data outside of the root element')
    }
  }
}

/** Reads what begins with the `<` at the cursor, inside of the root element. */
function readMarkup(cursor: Cursor, events: XmlEvents): void {
  switch (cursor.text.charCodeAt(cursor.at + 1)) {
    case SLASH:
      readEndTag(cursor, events)
      break
    case QUESTION:
      skipInstruction(cursor)
      break
    case BANG:
      readCommentOrCdata(cursor, events)
      break
    default:
      readStartTag(cursor, events)
  }
}

/** Skips a comment or reads CDATA. Both begin with `<!`. */
function readCommentOrCdata(cursor: Cursor, events: XmlEvents): void {
  if (isAt(cursor, '<!--')) skipComment(cursor)
  else if (isAt(cursor, '<![CDATA[')) readCdata(cursor, events)
  else {
    cursor.at += 2
    refuse(cursor, 'neither a comment nor CDATA')
  }
}

/** Reads character data up to the next `<`. */
function readCharacterData(cursor: Cursor, events: XmlEvents): void {
  const { text, at: start } = cursor
  let at = start
  let isBlank = true
  let hasReference = false
  for (let code = text.charCodeAt(at); code !== LESS; code = text.charCodeAt(++at)) {
    if (code > SPACE) {
      isBlank = false
      if (code === AMPERSAND) hasReference = true
      else if (code === GREATER && at - start >= 2 && text.startsWith(']]', at - 2)) {
        cursor.at = at + 1
        refuse(cursor, 'the string "]]>" is disallowed in text')
      }
    } else if (at >= text.length) refuseEnd(cursor)
  }
  cursor.at = at
  if (at === start) return
  const written = text.slice(start, at)
  if (hasReference) emitText(events, resolveReferences(cursor, written, start))
  else events.text?.(written, isBlank)
}

function readCdata(cursor: Cursor, events: XmlEvents): void {
  const start = cursor.at + '<![CDATA['.length
  const end = skipPast(cursor, ']]>', start)
  if (end > start) emitText(events, cursor.text.slice(start, end))
}

function emitText(events: XmlEvents, text: string): void {
  events.text?.(text, isXmlWhiteSpace(text))
}

function readStartTag(cursor: Cursor, events: XmlEvents): void {
  const start = cursor.at++
  const name = readName(cursor, 'a tag name')
  events.start?.(name)
  const attributes = readAttributes(cursor)
  const isEmpty = peek(cursor) === SLASH
  if (isEmpty) cursor.at++
  expectTagEnd(cursor, 'a tag')
  events.open(name, attributes)
  if (isEmpty) events.close?.()
  else {
    cursor.openNames.push(name)
    cursor.openStarts.push(start)
  }
}

function readEndTag(cursor: Cursor, events: XmlEvents): void {
  cursor.at += 2
  const name = cursor.openNames.at(-1) ?? ''
  const end = cursor.at + name.length
  if (!isAt(cursor, name) || mayContinueName(cursor.text.charCodeAt(end))) refuseEndTag(cursor, name)
  cursor.at = end
  skipSpace(cursor)
  expectTagEnd(cursor, 'a closing tag')
  cursor.openNames.pop()
  cursor.openStarts.pop()
  events.close?.()
}

/** Refuses an end tag that is not of the innermost open element. */
function refuseEndTag(cursor: Cursor, expected: string): never {
  readName(cursor, 'a tag name')
  skipSpace(cursor)
  if (peek(cursor) === GREATER) cursor.at++
  const line = lineOfInnermost(cursor)
  return refuse(cursor, `another element is closed than the open <${excerpt(expected)}> of line ${line}`)
}

function expectTagEnd(cursor: Cursor, kind: string): void {
  if (take(cursor) === GREATER) return
  if (cursor.at > cursor.text.length) refuseEnd(cursor)
  refuse(cursor, `disallowed character in ${kind}`)
}

/** Reads the attributes of a start tag up to its `>` or `/`. */
function readAttributes(cursor: Cursor): Record<string, string> {
  let attributes = noAttributes
  for (let count = 1; hasAttribute(cursor); count++) {
    const name = readName(cursor, 'an attribute name')
    if (count === 1) attributes = newAttributes()
    else if (name in attributes) refuse(cursor, `duplicate attribute: ${excerpt(name)}`)
    countAttribute(cursor, count)
    skipSpace(cursor)
    if (take(cursor) !== EQUALS) refuse(cursor, `the attribute ${excerpt(name)} has no value`)
    skipSpace(cursor)
    attributes[name] = readAttributeValue(cursor)
  }
  return attributes
}

/** Skips the space before an attribute. Returns false at the end of the tag. */
function hasAttribute(cursor: Cursor): boolean {
  const before = cursor.at
  skipSpace(cursor)
  const code = peek(cursor)
  if (code === GREATER || code === SLASH) return false
  if (cursor.at > before) return true
  if (isAtEnd(cursor)) refuseEnd(cursor)
  cursor.at++
  return refuse(cursor, 'disallowed character in a tag')
}

/** @param count how many attributes the element has so far */
function countAttribute(cursor: Cursor, count: number): void {
  if (count > MAX_ATTRIBUTES) refuse(cursor, `an element has more than ${MAX_ATTRIBUTES} attributes`)
  cursor.attributeCount++
  const limit = maxFor(MAX_ATTRIBUTES_TOGETHER, cursor.text.length)
  if (cursor.attributeCount > limit) refuse(cursor, `there are more than ${limit} attributes`)
}

function readAttributeValue(cursor: Cursor): string {
  const { text } = cursor
  const quote = take(cursor)
  if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) refuse(cursor, 'an attribute value without quotes')
  const start = cursor.at
  let at = start
  let isPlain = true
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(++at)) {
    if (code === LESS) {
      cursor.at = at + 1
      refuse(cursor, 'disallowed character in an attribute value')
    }
    if (code < SPACE || code === AMPERSAND) isPlain = false
    else if (at >= text.length) refuseEnd(cursor)
  }
  cursor.at = at + 1
  const value = text.slice(start, at)
  return isPlain ? value : resolveReferences(cursor, withSpaces(value), start)
}

function skipComment(cursor: Cursor): void {
  skipPast(cursor, '--', cursor.at + '<!--'.length)
  if (take(cursor) !== GREATER) refuse(cursor, 'a comment holds --')
}

function skipInstruction(cursor: Cursor): void {
  const { text } = cursor
  cursor.at += 2
  const start = cursor.at
  for (let code = peek(cursor); mayContinueName(code) && code !== QUESTION; code = peek(cursor)) cursor.at++
  const target = text.slice(start, cursor.at)
  const isEnded = isXmlWhiteSpace(text.charAt(cursor.at)) || isAt(cursor, '?>')
  if (isXmlName(target) && target.toLowerCase() === 'xml') {
    refuse(cursor, 'an XML declaration stands at the start of a file only')
  }
  if (!isXmlName(target) || !isEnded) {
    refuse(cursor, 'disallowed character in the name of a processing instruction')
  }
  skipPast(cursor, '?>', cursor.at)
}

/** Skips a DOCTYPE. Quotes, comments and instructions within it may hold brackets and `>`. */
function skipDoctype(cursor: Cursor): void {
  const { text, at: start } = cursor
  cursor.at += '<!DOCTYPE'.length
  let isInternal = false
  while (true) {
    if (isAtEnd(cursor)) refuseEnd(cursor)
    if (cursor.at - start > MAX_DOCTYPE_LENGTH) {
      refuse(cursor, `the DOCTYPE is longer than ${MAX_DOCTYPE_LENGTH} characters`)
    }
    const character = text.charAt(cursor.at)
    if (character === '>' && !isInternal) break
    if (character === '"' || character === "'") skipPast(cursor, character, cursor.at + 1)
    else if (isInternal && isAt(cursor, '<!--')) skipPast(cursor, '-->', cursor.at + '<!--'.length)
    else if (isInternal && isAt(cursor, '<?')) skipPast(cursor, '?>', cursor.at + '<?'.length)
    else {
      if (character === '[' || character === ']') isInternal = character === '['
      cursor.at++
    }
  }
  cursor.at++
  if (text.slice(start, cursor.at).includes('<!ENTITY')) {
    refuse(cursor, 'the DOCTYPE declares entities, which is not allowed')
  }
}
