import type { Element, ScoreDocument } from '../../model/document.ts'

/** The versions of MusicXML that have a public identifier of a part-wise DTD. */
const published = new Set(['1.0', '1.1', '2.0', '3.0', '3.1', '4.0'])

/**
 * Writes a MusicXML file for UTF-8: declaration, DOCTYPE of the score's version, one element per line,
 * indented by depth. Text is not changed, so reading the file gives the same document. Uuids are left out,
 * because MusicXML has no place for them.
 */
export function writeMusicXml(document: ScoreDocument): string {
  // An absent version attribute means 1.0 (musicxml.xsd, document-attributes).
  const version = document.root.attributes.version ?? '1.0'
  const dtd = `-//Recordare//DTD MusicXML ${published.has(version) ? version : '4.0'} Partwise//EN`
  const head = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE score-partwise PUBLIC "${dtd}" "http://www.musicxml.org/dtds/partwise.dtd">`
  return `${head}${elementXml(document.root, '\n')}\n`
}

/** The element with its indentation before it, which is a line break and spaces. */
export function elementXml(element: Element, indentation: string): string {
  const { name, attributes, children, text } = element
  let xml = `${indentation}<${name}`
  for (const attribute in attributes)
    xml += ` ${attribute}="${escapedAttribute(attributes[attribute] ?? '')}"`
  if (children.length > 0) {
    xml += '>'
    for (const child of children) xml += elementXml(child, `${indentation}  `)
    return `${xml}${indentation}</${name}>`
  }
  return text === '' ? `${xml}/>` : `${xml}>${escapedText(text)}</${name}>`
}

/** Escapes `>` because of `]]>`, and a carriage return because a reader would turn it into a line feed. */
function escapedText(text: string): string {
  return /[&<>\r]/.test(text)
    ? text.replaceAll(/[&<>\r]/g, (character) => references[character] ?? character)
    : text
}

/** Escapes white space except spaces, because a reader would turn it into spaces (XML 1.0, section 3.3.3). */
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
