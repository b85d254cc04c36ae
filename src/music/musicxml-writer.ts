import type { Element, ScoreDocument } from './document.ts'

/** The versions of MusicXML that have a public identifier of a part-wise DTD. */
const published = new Set(['1.0', '1.1', '2.0', '3.0', '3.1', '4.0'])

/**
 * The score as a MusicXML file for UTF-8: declaration, DOCTYPE of the score's own version, one element a line with its
 * depth as indentation. Text is never touched, so that reading it again gives the same document; uuids are left out,
 * having no place in MusicXML.
 */
export function writeMusicXml(document: ScoreDocument): string {
  // The version attribute says 1.0 when it is absent (musicxml.xsd, document-attributes).
  const version = document.root.attributes.version ?? '1.0'
  const dtd = `-//Recordare//DTD MusicXML ${published.has(version) ? version : '4.0'} Partwise//EN`
  const head = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE score-partwise PUBLIC "${dtd}" "http://www.musicxml.org/dtds/partwise.dtd">`
  return `${head}${elementXml(document.root, '\n')}\n`
}

/** The element with its indentation before it, which is a line break and spaces. */
function elementXml(element: Element, indentation: string): string {
  const { name, attributes, children, text } = element
  let xml = `${indentation}<${name}`
  for (const attribute in attributes) xml += ` ${attribute}="${escapedAttribute(attributes[attribute] ?? '')}"`
  if (children.length > 0) {
    xml += '>'
    for (const child of children) xml += elementXml(child, `${indentation}  `)
    return `${xml}${indentation}</${name}>`
  }
  return text === '' ? `${xml}/>` : `${xml}>${escapedText(text)}</${name}>`
}

/** `>` is escaped because of `]]>`; a carriage return written as it is would come back as a line feed. */
function escapedText(text: string): string {
  return /[&<>\r]/.test(text) ? text.replaceAll(/[&<>\r]/g, (character) => references[character] ?? character) : text
}

/** White space other than a blank would come back as a blank (XML 1.0, section 3.3.3). */
function escapedAttribute(text: string): string {
  return /[&<>"\t\r\n]/.test(text)
    ? text.replaceAll(/[&<>"\t\r\n]/g, (character) => references[character] ?? character)
    : text
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
