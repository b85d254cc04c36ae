import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../test/support/failure.ts'
import { Failure } from '../../errors.ts'
import { MAX_DOCTYPE_LENGTH, MAX_NAMES, MAX_REFERENCES } from '../model/limits.ts'
import { readXml } from './xml-reader.ts'

/** The content of a document: tags with their attributes, and the text between two tags in one piece. */
type Read = Array<string | [string, ...Array<[string, string]>]>

function addText(read: Read, text: string): void {
  const last = read.at(-1)
  if (typeof last === 'string' && last !== '/') read[read.length - 1] = last + text
  else read.push(` ${text}`)
}

function readOurs(xml: string): Read {
  const read: Read = []
  readXml(xml, () => ({
    open: (name, attributes) => read.push([name, ...Object.entries(attributes)]),
    text: (text) => addText(read, text),
    close: () => read.push('/'),
  }))
  return read
}

/** The same with another parser, which is tested with the conformance tests of the W3C. */
function readReference(xml: string): Read | undefined {
  const read: Read = []
  let depth = 0
  const parser = new SaxesParser({ forceXMLVersion: true, defaultXMLVersion: '1.0' })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('<!ENTITY')) throw new Error('it declares entities')
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth++
    read.push([name, ...Object.entries(attributes as Record<string, string>)])
  })
  const onText = (text: string) => {
    if (depth > 0 && text !== '') addText(read, text)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => {
    depth--
    read.push('/')
  })
  try {
    parser.write(xml).close()
    return read
  } catch {
    return undefined
  }
}

const pieces = [
  ...'<>/="\'&;![]-?# \n\t\r:.ax1é𝄞\u0001\ufffe',
  ...[
    '<a>',
    '</a>',
    '<b/>',
    '<a ',
    ' x="1"',
    " y='2'",
    'x = "<"',
    '<b x="1" x="2"/>',
    ' x="&#10;\r\n\t&lt;"',
    '<__proto__ ',
    '/>',
  ],
  ...[
    '&amp;',
    '&lt;',
    '&apos;',
    '&#65;',
    '&#x1D11E;',
    '&#0;',
    '&#xD800;',
    '&#x110000;',
    '&nbsp;',
    '&#',
    '&constructor;',
  ],
  ...['<!--', '-->', '--', '<!-- - -->', '<![CDATA[', ']]>', ']]', '<![CDATA[]]>', '<![CDATA[ <a>&amp; ]]>'],
  ...[
    '<?p',
    '?>',
    '<?p q?>',
    '<?xml',
    '<?xml version="1.0"?>',
    "<?xml version='1.1' encoding='UTF-8' standalone='no' ?>",
  ],
  ...[
    '<?XML ?>',
    ' encoding="x"',
    '\r\n',
    'text',
    '<!DOCTYPE',
    '<!DOCTYPE a>',
    '<!DOCTYPE a [',
    ']>',
    '<!ENTITY a "b">',
  ],
  ...['<!DOCTYPE a PUBLIC "-//>" \'[\' [<!ELEMENT a ANY><!-- \'" --><?p ] ?>]>', '<!ATTLIST a x CDATA "]>">'],
]
const sound = fc.constantFrom(
  ...[
    'text',
    '\r',
    '\n',
    '&amp;',
    '<a x="1"/>',
    '<a>',
    '</a>',
    '<!-- c -->',
    '<?p q?>',
    '<![CDATA[<]]>',
    ' ',
    '<b y="&#9;">',
    '</b>',
  ],
)
const around = fc.constantFrom(
  '',
  '',
  '\n',
  '<!-- c -->',
  '<?p q?>',
  '<!DOCTYPE a>',
  '<!DOCTYPE a [<!ELEMENT a ANY>]>',
  'x',
  '<a/>',
)
const declarations = fc.constantFrom(
  '',
  '',
  '<?xml version="1.0"?>',
  '<?xml version="1.0" encoding="UTF-8"?>',
  ' <?xml version="1.0"?>',
)
const documents = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(
      declarations,
      around,
      around,
      fc.array(fc.oneof({ weight: 4, arbitrary: sound }, fc.constantFrom(...pieces)), { maxLength: 12 }),
      around,
    )
    .map(
      ([declaration, before, doctype, content, behind]) =>
        `${declaration}${before}${doctype}<a>${content.join('')}</a>${behind}`,
    ),
)

const refusal = (xml: string) => failureOf(() => readOurs(xml))

describe('readXml', () => {
  it('accepts and refuses the same documents as another parser, and reads the same content', () => {
    fc.assert(
      fc.property(documents, (xml) => {
        let read: Read | undefined
        try {
          read = readOurs(xml)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
          expect(error).toMatchObject({
            code: 'INVALID_MUSICXML',
            message: expect.stringMatching(/^Line \d+, column \d+: .*\.$/s),
          })
        }
        expect(read).toEqual(readReference(xml))
      }),
      { seed: 10, numRuns: 5000 },
    )
  })

  it('names the line and column that it has reached, for all kinds of line breaks', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const at = (xml: string) =>
        /^Line \d+, column \d+/.exec(refusal(xml.replaceAll('\n', end)).message)?.[0]
      expect(at('<a>\n\n<b>\n </c></b></a>')).toBe('Line 4, column 5')
      expect(at('<a>\n♩𝄞<b x="1" x="2"/></a>')).toBe('Line 2, column 12')
      expect(at('<a>\n♩𝄞 &nbsp;</a>')).toBe('Line 2, column 9')
      expect(at('<a>\n <b>\n')).toBe('Line 3, column 0')
    }
  })

  it('turns any number of line breaks of all kinds into line feeds', () => {
    const text = 'a\r\r\n\n'.repeat(100_000)
    expect(readOurs(`<a>${text}</a>`)[1]).toBe(` ${'a\n\n\n'.repeat(100_000)}`)
    expect(readOurs(`<a x="${text}"/>`)[0]).toEqual(['a', ['x', 'a   '.repeat(100_000)]])
  })

  it('resolves any number of references', () => {
    expect(readOurs(`<a>${'&amp;♩&#x1D11E;'.repeat(100_000)}</a>`)[1]).toBe(` ${'&♩𝄞'.repeat(100_000)}`)
  })

  it('skips comments, instructions and DOCTYPEs of any length', () => {
    const long = '- ?'.repeat(1_000_000)
    expect(readOurs(`<?xml version="1.0"?><!--${long}--><a><?p ${long}?><!-- ${long}--></a>`)).toEqual([
      ['a'],
      '/',
    ])
  })

  it.each([
    [
      'more different names than a score has',
      `<a>${Array.from({ length: MAX_NAMES }, (_, i) => `<n${i}/>`).join('')}</a>`,
      'different names',
    ],
    [
      'more different names of attributes',
      `<a ${Array.from({ length: 100 }, (_, i) => `n${i}=""`).join(' ')}>${Array.from({ length: MAX_NAMES }, (_, i) => `<a m${i}=""/>`).join('')}</a>`,
      'different names',
    ],
    [
      'more references than a score has',
      `<a>${'&#9;'.repeat(MAX_REFERENCES)}<b c="&amp;"/></a>`,
      'more than 600000 references',
    ],
    [
      'a DOCTYPE that does not end',
      `<!DOCTYPE a [${'""'.repeat(MAX_DOCTYPE_LENGTH)}`,
      `longer than ${MAX_DOCTYPE_LENGTH} characters`,
    ],
    [
      'a DOCTYPE of one long string',
      `<!DOCTYPE a "${'x'.repeat(MAX_DOCTYPE_LENGTH)}">`,
      `longer than ${MAX_DOCTYPE_LENGTH} characters`,
    ],
  ])('refuses %s', (_what, xml, message) => {
    expect(refusal(xml).message).toContain(message)
  })
})
