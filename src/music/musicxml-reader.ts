import { SaxesParser } from 'saxes'
import { fail } from '../errors.ts'
import { type Element, newAttributes, noAttributes, type ScoreDocument } from './document.ts'
import { decodeXml } from './encoding.ts'
import {
  excerpt,
  MAX_ATTRIBUTES,
  MAX_DEPTH,
  MAX_ELEMENTS,
  MAX_XML_BYTES,
  scoreFault,
  valueFault,
} from './score-limits.ts'
import { partwiseOf } from './timewise.ts'
import { isXmlWhiteSpace } from './xml-characters.ts'

/** How much text the parser gets at once, in UTF-16 code units: small enough that a limit stops it early. */
const CHUNK_LENGTH = 65_536

/**
 * Reads a MusicXML file (1.0 to 4.0, part-wise or time-wise, in any encoding that its first bytes or its declaration
 * name). Every element, attribute and text comes into the document; white space between elements, comments and
 * processing instructions do not. Character data of an element without children is kept to the letter.
 *
 * Nothing outside of the file is ever fetched, and a DOCTYPE that declares entities is refused.
 * Fails with INVALID_MUSICXML, saying what and where (line and column, part and measure, or byte), or with
 * PAYLOAD_TOO_LARGE above MAX_XML_BYTES.
 */
export function readMusicXml(bytes: Uint8Array): ScoreDocument {
  if (bytes.length === 0) fail('INVALID_MUSICXML', { message: 'The file is empty.' })
  if (bytes.length > MAX_XML_BYTES) {
    fail('PAYLOAD_TOO_LARGE', { message: `The score has ${bytes.length} bytes of XML, more than ${MAX_XML_BYTES}.` })
  }
  const written = parseTree(decodeXml(bytes))
  const root = written.name === 'score-timewise' ? partwiseOf(written) : written
  const fault = scoreFault(root)
  if (fault !== undefined) fail('INVALID_MUSICXML', { message: `${fault}.` })
  return { root }
}

/** The tree as it is written, with the checks that can name a line. */
function parseTree(xml: string): Element {
  // MusicXML is XML 1.0; what a file that claims 1.1 has beyond that could not be written again.
  const parser = new SaxesParser({ xmlns: false, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  const names = new Map<string, string>()
  const open: Element[] = []
  const openLines: number[] = []
  let root: Element | undefined
  let lastClosed = ''
  let elements = 0
  let attributes = noAttributes
  let attributeCount = 0

  const refuse = (what: string): never =>
    fail('INVALID_MUSICXML', { message: `Line ${parser.line}, column ${parser.column}: ${what}.` })

  parser.on('error', (error) => {
    const what = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')
    refuse(what === 'unexpected close tag' ? `another element is closed than the open ${lastClosed}` : what)
  })

  parser.on('doctype', (doctype) => {
    if (doctype.includes('<!ENTITY')) refuse('the DOCTYPE declares entities, which is not allowed')
  })

  parser.on('opentagstart', ({ name }) => {
    if (root === undefined && name !== 'score-partwise' && name !== 'score-timewise') {
      refuse(`the root element is <${excerpt(name)}>, not <score-partwise> or <score-timewise>`)
    }
    if (open.length >= MAX_DEPTH) refuse(`elements nest deeper than ${MAX_DEPTH}`)
    attributes = noAttributes
    attributeCount = 0
  })

  parser.on('attribute', ({ name, value }) => {
    if (attributeCount === 0) attributes = newAttributes()
    attributeCount += 1
    if (attributeCount > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    attributes[name] = value
  })

  parser.on('opentag', (tag) => {
    elements += 1
    if (elements > MAX_ELEMENTS) refuse(`the score has more than ${MAX_ELEMENTS} elements`)
    // One string object per name: quicker to compare, and no slice that keeps a whole chunk alive.
    let name = names.get(tag.name)
    if (name === undefined) {
      name = tag.name
      names.set(name, name)
    }
    const element: Element = { name, attributes, children: [], text: '' }
    const parent = open.at(-1)
    if (parent === undefined) {
      root = element
    } else {
      if (parent.text !== '') {
        if (!isXmlWhiteSpace(parent.text)) refuse(`<${parent.name}> has text beside elements`)
        parent.text = ''
      }
      parent.children.push(element)
    }
    open.push(element)
    openLines.push(parser.line)
  })

  const addText = (text: string): void => {
    const element = open.at(-1)
    if (element === undefined) return
    if (element.children.length === 0) element.text += text
    else if (!isXmlWhiteSpace(text)) refuse(`<${element.name}> has text beside elements`)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)

  parser.on('closetag', () => {
    const element = open.pop()
    const line = openLines.pop()
    if (element === undefined) return
    lastClosed = `<${element.name}> of line ${line}`
    const fault = valueFault(element)
    if (fault !== undefined) refuse(fault)
  })

  for (let start = 0; start < xml.length; start += CHUNK_LENGTH) parser.write(xml.slice(start, start + CHUNK_LENGTH))
  const unclosed = open.at(-1)
  if (unclosed !== undefined) refuse(`the file ends inside <${unclosed.name}>, which line ${openLines.at(-1)} opens`)
  parser.close()
  return root ?? refuse('there is no root element')
}
