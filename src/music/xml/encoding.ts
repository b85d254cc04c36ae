import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { fail } from '../../errors.ts'
import { createRepairs, type Repairs } from '../formats/repairs.ts'

/** How the bytes of an XML file are to be read. */
interface XmlEncoding {
  /** `utf-8`, `utf-16le`, `utf-16be` or a name that the XML declaration gives. */
  readonly name: string
  /** The bytes that a byte order mark takes, which is no part of the text. */
  readonly markLength: number
}

/** The first bytes that give an encoding away: a byte order mark, or `<` written in two or four bytes. */
const signatures: ReadonlyArray<{ bytes: readonly number[]; name: string; markLength: number }> = [
  { bytes: [0xff, 0xfe, 0x00, 0x00], name: 'utf-32le', markLength: 4 },
  { bytes: [0x00, 0x00, 0xfe, 0xff], name: 'utf-32be', markLength: 4 },
  { bytes: [0xef, 0xbb, 0xbf], name: 'utf-8', markLength: 3 },
  { bytes: [0xff, 0xfe], name: 'utf-16le', markLength: 2 },
  { bytes: [0xfe, 0xff], name: 'utf-16be', markLength: 2 },
  { bytes: [0x3c, 0x00, 0x00, 0x00], name: 'utf-32le', markLength: 0 },
  { bytes: [0x00, 0x00, 0x00, 0x3c], name: 'utf-32be', markLength: 0 },
  { bytes: [0x3c, 0x00], name: 'utf-16le', markLength: 0 },
  { bytes: [0x00, 0x3c], name: 'utf-16be', markLength: 0 },
]

/**
 * Encodings of iconv-lite that are refused: those that are not encodings of characters, and those that no
 * program uses for scores and that take seconds to decode.
 */
const refused = new Set(['base64', 'hex', 'binary', 'utf7', 'utf7imap', 'unicode11utf7', 'cesu8'])

/**
 * Finds the encoding of an XML file from its first bytes and its declaration (XML 1.0, appendix F). A byte
 * order mark has priority over the declaration, because programs that convert a file often do not update the
 * declaration.
 */
function xmlEncodingOf(bytes: Uint8Array): XmlEncoding {
  const signature = signatures.find((candidate) =>
    candidate.bytes.every((byte, index) => bytes[index] === byte),
  )
  if (signature) return signature
  const declaration = Buffer.from(bytes.subarray(0, 256)).toString('latin1')
  const declared = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1]
  // A declaration that is readable in single bytes cannot be UTF-16, even if it says so.
  if (declared === undefined || /^(utf|ucs)-?(16|32|2|4)/i.test(declared))
    return { name: 'utf-8', markLength: 0 }
  return { name: declared, markLength: 0 }
}

/**
 * The text of an XML file, without its byte order mark. Bytes that are not valid in UTF-8 are read as Windows-1252 if the
 * file begins like XML, because some programs write Latin characters as single bytes and declare UTF-8.
 * @throws INVALID_MUSICXML for an encoding that is not known, and, naming the byte, for bytes that are not valid in another
 *   encoding of the file
 */
export function decodeXml(bytes: Uint8Array, repairs = createRepairs()): string {
  const { name, markLength } = xmlEncodingOf(bytes)
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + markLength, bytes.byteLength - markLength)
  if (/^utf-?8$/i.test(name)) {
    if (isUtf8(content)) return content.toString('utf8')
    if (/^\s*</.test(content.toString('latin1', 0, 256))) return decodeMixed(content, markLength, repairs)
    return refuseByte('UTF-8', markLength + invalidByteOffset(content, content.toString('utf8'), 'utf-8'))
  }
  if (name === 'utf-16le' || name === 'utf-16be') return decodeUtf16(content, name, markLength)
  if (!isCharacterSet(name)) {
    return fail('INVALID_MUSICXML', {
      message: `The XML declaration names the encoding ${name}, which is not known.`,
    })
  }
  const text = iconv.decode(content, name)
  const offset = text.includes('\ufffd') ? invalidByteOffset(content, text, name) : -1
  return offset < 0 ? text : refuseByte(name, markLength + offset)
}

/**
 * Decodes the first `length` bytes of a text that may be XML, without a byte order mark. Invalid bytes are
 * replaced. Never fails.
 */
export function decodeXmlStart(bytes: Uint8Array, length: number): string {
  const { name, markLength } = xmlEncodingOf(bytes)
  return iconv.decode(bytes.subarray(markLength, length), isCharacterSet(name) ? name : 'latin1')
}

function isCharacterSet(name: string): boolean {
  return !refused.has(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) && iconv.encodingExists(name)
}

/** A character in UTF-8 of more than one byte (RFC 3629, section 4), or a single byte that is none, as Latin-1. */
const beyondAscii =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

/** The characters of the bytes from 0x80 in Windows-1252. */
const upperHalf = iconv.decode(
  Buffer.from(Array.from({ length: 128 }, (_, index) => 128 + index)),
  'windows-1252',
)

/** Invalid bytes above which a file is no text in UTF-8 with some Latin characters. */
const MAX_SINGLE_BYTES = 100_000

/** @param markLength the bytes before `content` in the file */
function decodeMixed(content: Buffer, markLength: number, repairs: Repairs): string {
  const singleBytes = content.toString('latin1')
  let [invalid, line, counted] = [0, 1, 0]
  return singleBytes.replaceAll(beyondAscii, (written, offset: number) => {
    if (written.length > 1) return Buffer.from(written, 'latin1').toString('utf8')
    if (++invalid > MAX_SINGLE_BYTES) refuseByte('UTF-8', markLength + offset)
    const byte = written.charCodeAt(0)
    const character = upperHalf.charAt(byte - 128)
    repairs.add(
      `The byte ${byte.toString(16)} is not valid in UTF-8. It was read as "${character}" of Windows-1252.`,
      () => {
        line += singleBytes.slice(counted, offset).match(/\r\n|[\r\n]/g)?.length ?? 0
        counted = offset
        return line
      },
    )
    return character
  })
}

function decodeUtf16(content: Buffer, name: string, markLength: number): string {
  if (content.length % 2 === 1) refuseByte(name.toUpperCase(), markLength + content.length - 1)
  const text = (name === 'utf-16be' ? Buffer.from(content).swap16() : content).toString('utf16le')
  if (!text.isWellFormed()) {
    const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/
    refuseByte(name.toUpperCase(), markLength + text.search(loneSurrogate) * 2)
  }
  return text
}

/**
 * The offset of the first byte that became a replacement character, or -1 if all of them were in the file.
 */
function invalidByteOffset(content: Buffer, text: string, encoding: string): number {
  // Only Unicode encodings contain the replacement character, in three or four bytes, so it may be genuine.
  if (iconv.encode('\ufffd', encoding).length < 3) {
    return iconv.encode(text.slice(0, text.indexOf('\ufffd')), encoding).length
  }
  const asDecoded = iconv.encode(text, encoding)
  return content.findIndex((byte, index) => byte !== asDecoded[index])
}

function refuseByte(encoding: string, offset: number): never {
  return fail('INVALID_MUSICXML', { message: `The byte at offset ${offset} is not valid in ${encoding}.` })
}
