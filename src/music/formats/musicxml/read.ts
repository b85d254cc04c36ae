import { fail } from '../../../errors.ts'
import type { Element, ScoreDocument } from '../../model/document.ts'
import { decodeXml } from '../../xml/encoding.ts'
import { createRepairs, type Repairs } from '../repairs.ts'
import {
  excerpt,
  MAX_DEPTH,
  MAX_ELEMENTS,
  MAX_XML_BYTES,
  maxFor,
  optionalValueFault,
  scoreFault,
  valueFault,
} from '../../model/limits.ts'
import { partwiseOf } from './timewise.ts'
import { isXmlWhiteSpace } from '../../xml/xml-characters.ts'
import { readXml } from '../../xml/xml-reader.ts'

/**
 * Reads a MusicXML file (1.0 to 4.0, part-wise or time-wise, in any encoding that its first bytes or its
 * declaration name). The document contains every element, attribute and text, but no comments, processing
 * instructions, or white space between elements. Text of an element without children is not changed.
 *
 * A fault that leaves no doubt about the music is repaired: text between elements and an optional value that cannot be used
 * are left out, Latin bytes in UTF-8 are decoded, and an element between the parts of a time-wise measure goes into a part.
 *
 * Nothing outside of the file is ever fetched, and a DOCTYPE that declares entities is refused.
 * @throws INVALID_MUSICXML with the problem and its place (line and column, part and measure, or byte), or
 *   PAYLOAD_TOO_LARGE above MAX_XML_BYTES
 */
export function readMusicXml(bytes: Uint8Array, repairs = createRepairs()): ScoreDocument {
  if (bytes.length === 0) fail('INVALID_MUSICXML', { message: 'The file is empty.' })
  if (bytes.length > MAX_XML_BYTES) {
    fail('PAYLOAD_TOO_LARGE', {
      message: `The score has ${bytes.length} bytes of XML, more than ${MAX_XML_BYTES}.`,
    })
  }
  const written = parseTree(decodeXml(bytes, repairs), repairs)
  const root = written.name === 'score-timewise' ? partwiseOf(written, repairs) : written
  const fault = scoreFault(root)
  if (fault !== undefined) fail('INVALID_MUSICXML', { message: `${fault}.` })
  return { root, isChecked: true }
}

/** An element up to its end tag. */
interface Open {
  readonly name: string
  readonly attributes: Record<string, string>
  /** The index of its first child among the elements that are read. */
  readonly firstChild: number
  text: string
}

const strayText = (name: string, text: string): string =>
  `<${name}> has the text "${excerpt(text.trim())}" beside elements. The text was left out.`

/** Builds the tree as written, with the checks and repairs that can name a line. */
function parseTree(xml: string, repairs: Repairs): Element {
  const open: Open[] = []
  /** Complete elements whose parent is still open. Those of the innermost parent are at the end. */
  const read: Element[] = []
  let elements = 0
  const maxElements = maxFor(MAX_ELEMENTS, xml.length)

  readXml(xml, ({ refuse, line }) => ({
    start(name) {
      if (open.length === 0 && name !== 'score-partwise' && name !== 'score-timewise') {
        refuse(`the root element is <${excerpt(name)}>, not <score-partwise> or <score-timewise>`)
      }
      if (open.length >= MAX_DEPTH) refuse(`elements nest deeper than ${MAX_DEPTH}`)
      elements += 1
      if (elements > maxElements) refuse(`the score has more than ${maxElements} elements`)
    },
    open(name, attributes) {
      const parent = open.at(-1)
      if (parent !== undefined && parent.text !== '') {
        if (!isXmlWhiteSpace(parent.text)) repairs.add(strayText(parent.name, parent.text), line)
        parent.text = ''
      }
      open.push({ name, attributes, firstChild: read.length, text: '' })
    },
    text(text, isBlank) {
      const element = open.at(-1)
      if (element === undefined) return
      if (element.firstChild === read.length) element.text += text
      else if (!isBlank) repairs.add(strayText(element.name, text), line)
    },
    close() {
      const closed = open.pop()
      if (closed === undefined) return
      const { name, attributes, firstChild, text } = closed
      // Arrays of just the right length: those that grow by themselves take several times as much.
      const children = firstChild === read.length ? [] : read.splice(firstChild)
      const element: Element = { name, attributes, children, text }
      const optional = optionalValueFault(element)
      if (optional !== undefined) {
        delete element.attributes[optional.attribute]
        repairs.add(`${optional.fault}. The attribute was left out.`, line)
      }
      const fault = valueFault(element)
      if (fault !== undefined) refuse(fault)
      read.push(element)
    },
  }))
  return read[0] as Element
}
