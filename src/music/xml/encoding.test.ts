import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../test/support/failure.ts'
import { decodeXml, decodeXmlStart } from './encoding.ts'
import { createRepairs } from '../formats/repairs.ts'

const text = '<?xml version="1.0"?><work-title>Für Elise – Ελίζα 𝄞</work-title>'

function withDeclaration(encoding: string, content: string): string {
  return `<?xml version="1.0" encoding="${encoding}"?><a>${content}</a>`
}

describe('decodeXml', () => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE with a byte order mark', iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['UTF-16BE with a byte order mark', iconv.encode(text, 'utf-16be', { addBOM: true })],
    ['UTF-16LE', iconv.encode(text, 'utf-16le')],
    ['UTF-16BE', iconv.encode(text, 'utf-16be')],
    ['UTF-32LE with a byte order mark', iconv.encode(text, 'utf-32le', { addBOM: true })],
    ['UTF-32BE', iconv.encode(text, 'utf-32be')],
  ])('reads %s without a declaration', (_name, bytes) => {
    expect(decodeXml(bytes)).toBe(text)
  })

  it.each([
    ['ISO-8859-1', 'Für Elise'],
    ['iso-8859-2', 'Dvořák'],
    ['windows-1251', 'Чайковский'],
    ['windows-1252', '“Für Elise”'],
    ['Shift_JIS', '春の海'],
    ['Big5', '茉莉花'],
    ['GB18030', '茉莉花 𝄞'],
    ['UTF-8', 'Dvořák'],
    ['US-ASCII', 'Elise'],
  ])('reads the declared encoding %s', (encoding, content) => {
    const xml = withDeclaration(encoding, content)
    expect(decodeXml(iconv.encode(xml, encoding))).toBe(xml)
  })

  it('reads a declaration in single quotes behind other blanks', () => {
    const xml = "<?xml\n version='1.0'\tencoding = 'ISO-8859-1' ?><a>ü</a>"
    expect(decodeXml(iconv.encode(xml, 'latin1'))).toBe(xml)
  })

  it('prefers a byte order mark to the declaration', () => {
    const xml = withDeclaration('ISO-8859-1', 'ü')
    expect(decodeXml(Buffer.from(`\ufeff${xml}`))).toBe(xml)
    expect(decodeXml(iconv.encode(xml, 'utf-16le', { addBOM: true }))).toBe(xml)
  })

  it('reads a file in single bytes as UTF-8 if its declaration says UTF-16', () => {
    const xml = withDeclaration('utf-16', 'ü')
    expect(decodeXml(Buffer.from(xml))).toBe(xml)
  })

  it('keeps a replacement character of the file', () => {
    for (const encoding of ['UTF-8', 'GB18030']) {
      const xml = withDeclaration(encoding, '\ufffd')
      expect(decodeXml(iconv.encode(xml, encoding))).toBe(xml)
    }
  })

  it.each([
    ...['klingon', 'base64', 'hex', 'binary', '__proto__', 'constructor'],
    ...['UTF-7', 'utf-7-imap', 'unicode-1-1-utf-7', 'CESU-8'],
  ])('refuses the encoding %s', (encoding) => {
    const failure = failureOf(() => decodeXml(Buffer.from(withDeclaration(encoding, ''))))
    expect(failure).toMatchObject({ code: 'INVALID_MUSICXML', status: 400 })
    expect(failure.message).toContain(encoding)
  })

  it.each([
    ['UTF-8', Buffer.concat([Buffer.from('é\ufffd'), Buffer.from([0xff]), Buffer.from('</a>')]), 5],
    ['UTF-8', Buffer.concat([Buffer.from('\ufffd'.repeat(1_000_000)), Buffer.of(0xff)]), 3_000_000],
    ['UTF-8', Buffer.concat([Buffer.from('\ufeffaé'), Buffer.from([0xc3])]), 6],
    ['UTF-16LE', iconv.encode('<a>\ud834</a>', 'utf-16le'), 6],
    ['UTF-16BE', iconv.encode('<a>𝄞\udd1e', 'utf-16be', { addBOM: true }), 12],
    ['UTF-16LE', iconv.encode('<a>', 'utf-16le').subarray(0, 5), 4],
  ])('names the first byte that is not valid in %s', (encoding, bytes, offset) => {
    const failure = failureOf(() => decodeXml(bytes))
    expect(failure.code).toBe('INVALID_MUSICXML')
    expect(failure.message).toBe(`The byte at offset ${offset} is not valid in ${encoding}.`)
  })

  it.each([
    ['US-ASCII', 0xfc],
    ['ISO-8859-7', 0xff],
    ['Shift_JIS', 0xfd],
    ['Big5', 0xff],
  ])('names the last byte if it is not valid in %s', (encoding, byte) => {
    const bytes = Buffer.concat([iconv.encode(withDeclaration(encoding, 'x'), encoding), Buffer.of(byte)])
    const { message } = failureOf(() => decodeXml(bytes))
    expect(message).toBe(`The byte at offset ${bytes.length - 1} is not valid in ${encoding}.`)
  })

  it('reads single bytes in UTF-8 as Windows-1252, and reports each', () => {
    const repairs = createRepairs()
    const bytes = Buffer.concat([
      Buffer.from('<a>ありがとう 𝄞\r\n'),
      Buffer.from('Frère \x80 ', 'latin1'),
      Buffer.from('\rFrère\n'),
      Buffer.from([0xc3]),
      Buffer.from('</a>'),
    ])
    expect(decodeXml(bytes, repairs)).toBe('<a>ありがとう 𝄞\r\nFrère € \rFrère\nÃ</a>')
    expect(repairs.list).toEqual([
      { line: 2, message: 'The byte e8 is not valid in UTF-8. It was read as "è" of Windows-1252.' },
      { line: 2, message: 'The byte 80 is not valid in UTF-8. It was read as "€" of Windows-1252.' },
      { line: 4, message: 'The byte c3 is not valid in UTF-8. It was read as "Ã" of Windows-1252.' },
    ])
  })

  it('refuses a file with more than 100,000 of such bytes', () => {
    const file = (count: number) => Buffer.concat([Buffer.from('<a>'), Buffer.alloc(count, 0xff)])
    expect(decodeXml(file(100_000))).toBe(`<a>${'ÿ'.repeat(100_000)}`)
    const { message } = failureOf(() => decodeXml(file(100_001)))
    expect(message).toBe('The byte at offset 100003 is not valid in UTF-8.')
  })

  it('reads any bytes after the start of an XML file as TextDecoder does, up to the first invalid one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const content = Buffer.concat([Buffer.from('<a>'), bytes])
        const expected = new TextDecoder().decode(content).split('\ufffd')[0] as string
        expect(decodeXml(content).startsWith(expected)).toBe(true)
      }),
    )
  })

  it('names the first byte of a picture', () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    expect(failureOf(() => decodeXml(png)).message).toContain('offset 0 ')
  })
})

describe('decodeXmlStart', () => {
  it('decodes the start of any bytes', () => {
    expect(decodeXmlStart(iconv.encode(text, 'utf-16le', { addBOM: true }), 10)).toBe('<?xm')
    expect(decodeXmlStart(Buffer.from(withDeclaration('klingon', 'x')), 5)).toBe('<?xml')
    expect(decodeXmlStart(Buffer.of(0x41, 0xff), 5)).toBe('A\ufffd')
    expect(decodeXmlStart(Buffer.alloc(0), 5)).toBe('')
  })
})
