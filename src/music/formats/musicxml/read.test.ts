import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../test/support/failure.ts'
import { child, childrenNamed, childText, type Element, measuresOf, partsOf } from '../../model/document.ts'
import { createRepairs, MAX_REPAIRS } from '../repairs.ts'
import { readMusicXml } from './read.ts'
import {
  LARGE_SCORE,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_TOGETHER,
  MAX_DEPTH,
  MAX_DIVISIONS,
  MAX_ELEMENTS,
  MAX_MEASURES,
  MAX_MEASURES_OF_PARTS,
  MAX_PART_QUARTERS,
  MAX_PARTS,
  MAX_REPEAT_TIMES,
  MAX_TEMPO,
  MAX_XML_BYTES,
  MIN_TEMPO,
} from '../../model/limits.ts'

function read(xml: string): Element {
  return readMusicXml(Buffer.from(xml)).root
}

/** A score with one part and one measure that contains the given elements. */
function measureOf(content: string): string {
  return `<score-partwise version="4.0"><part-list/><part id="P1"><measure number="1">${content}</measure></part></score-partwise>`
}

function firstMeasure(content: string): Element {
  const [measure] = measuresOf(partsOf({ root: read(measureOf(content)) })[0] as Element)
  return measure as Element
}

function refusal(xml: string | Uint8Array): { code: string; status: number; message: string } {
  return failureOf(() => readMusicXml(typeof xml === 'string' ? Buffer.from(xml) : xml))
}

describe('readMusicXml', () => {
  it('keeps every element, attribute and text in its order', () => {
    const measure = firstMeasure(
      '<note default-x="1" xml:space="preserve"><pitch><step>C</step></pitch><chord/></note><backup/>',
    )
    expect(measure.children.map(({ name }) => name)).toEqual(['note', 'backup'])
    const [note] = measure.children
    expect(Object.entries(note?.attributes ?? {})).toEqual([
      ['default-x', '1'],
      ['xml:space', 'preserve'],
    ])
    expect(note?.children.map(({ name }) => name)).toEqual(['pitch', 'chord'])
    expect(note?.children[0]?.children[0]).toMatchObject({ name: 'step', text: 'C', children: [] })
  })

  it('drops white space between elements and keeps text unchanged', () => {
    const measure = firstMeasure(
      '\n  <direction>\n\t<words> a \n b\u00a0</words>\r\n<words>  </words></direction>\n',
    )
    expect(measure.text).toBe('')
    const direction = child(measure, 'direction') as Element
    expect(direction.text).toBe('')
    expect(direction.children.map(({ text }) => text)).toEqual([' a \n b\u00a0', '  '])
  })

  it('recognizes white space between elements in any notation', () => {
    const written = ' <note/>&#32;<![CDATA[\n]]><!-- --> <note/>\t&#9;'
    expect(firstMeasure(written).children.map(({ name }) => name)).toEqual(['note', 'note'])
  })

  it('reads references, CDATA and text around comments as text', () => {
    const measure = firstMeasure(
      '<words a="&#10;&lt;&quot;">A&amp;B<![CDATA[ <c> ]]>&#x1D11E;<!-- no -->d<?no no?>e</words>',
    )
    const words = child(measure, 'words') as Element
    expect(words.text).toBe('A&B <c> 𝄞de')
    expect(words.attributes.a).toBe('\n<"')
  })

  it('keeps names that have a meaning in JavaScript', () => {
    const measure = firstMeasure('<__proto__ __proto__="1" constructor="2"/>')
    const [element] = measure.children
    expect(element?.name).toBe('__proto__')
    expect(Object.entries(element?.attributes ?? {})).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
    expect(firstMeasure('<note/>').children[0]?.attributes.constructor).toBeUndefined()
  })

  it('reads a DOCTYPE without fetching its DTD', () => {
    const doctype =
      '<!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://127.0.0.1:9/x.dtd" [<!ELEMENT x ANY>]>'
    expect(read(`<?xml version="1.0"?>${doctype}${measureOf('')}`).name).toBe('score-partwise')
  })

  it('reads every encoding', () => {
    const xml = measureOf('<words>Für Ελίζα</words>')
    const utf16 = readMusicXml(iconv.encode(xml, 'utf-16be', { addBOM: true }))
    expect(utf16).toEqual(readMusicXml(Buffer.from(xml)))
    const latin1 = `<?xml version="1.0" encoding="ISO-8859-1"?>${measureOf('<words>ü</words>')}`
    expect(readMusicXml(iconv.encode(latin1, 'latin1'))).toEqual(
      readMusicXml(Buffer.from(measureOf('<words>ü</words>'))),
    )
  })

  it('reads any number of line breaks and characters of any length', () => {
    const words = '𝄞\r\n'.repeat(70_000)
    const measure = firstMeasure(`<words>${words}</words>`)
    expect(childText(measure, 'words')).toBe('𝄞\n'.repeat(70_000).trim())
  })

  it('reads sloppy but harmless files', () => {
    expect(
      read('<score-partwise><part><measure/></part><part><measure/></part></score-partwise>').children,
    ).toHaveLength(2)
    expect(
      read('<score-partwise><part-list/><part/><part><measure/></part></score-partwise>').children,
    ).toHaveLength(3)
    expect(firstMeasure('<surprise/><backup><duration>0</duration></backup>').children).toHaveLength(2)
  })
})

describe('readMusicXml of a time-wise score', () => {
  const timewise = `<score-timewise version="1.1">
    <work/><part-list/>
    <measure number="1" width="100"><part id="P1"><note/></part><part id="P2"><rest/></part></measure>
    <measure number="2"><part id="P2"><backup/></part></measure>
    <measure number="X3"><part id="P1"/><part id="P3" lang="de"/></measure>
  </score-timewise>`

  it('turns measures of parts into parts of measures', () => {
    const root = read(timewise)
    expect(root.name).toBe('score-partwise')
    expect(root.attributes.version).toBe('1.1')
    expect(root.children.map(({ name }) => name)).toEqual(['work', 'part-list', 'part', 'part', 'part'])
    expect(partsOf({ root }).map(({ attributes }) => ({ ...attributes }))).toEqual([
      { id: 'P1' },
      { id: 'P2' },
      { id: 'P3', lang: 'de' },
    ])
  })

  it('gives each part every measure with its attributes, empty if the part is missing in it', () => {
    const parts = partsOf({ root: read(timewise) })
    const contents = parts.map((part) =>
      measuresOf(part).map((measure) => measure.children.map(({ name }) => name).join()),
    )
    expect(contents).toEqual([
      ['note', '', ''],
      ['rest', 'backup', ''],
      ['', '', ''],
    ])
    for (const part of parts) {
      expect(measuresOf(part).map(({ attributes }) => ({ ...attributes }))).toEqual([
        { number: '1', width: '100' },
        { number: '2' },
        { number: 'X3' },
      ])
    }
  })

  it('distinguishes parts that share an id or have none', () => {
    const root = read(
      '<score-timewise><measure><part/><part><note/></part></measure><measure><part/><part/></measure></score-timewise>',
    )
    expect(childrenNamed(root, 'part').map((part) => measuresOf(part).length)).toEqual([2, 2])
  })

  it('refuses too many parts and measures, including the missing ones', () => {
    const xml = `<score-timewise><measure>${'<part/>'.repeat(1_000)}</measure>${'<measure/>'.repeat(100_000)}</score-timewise>`
    expect(refusal(xml).message).toMatch(
      /^Up to measure 1 of its 100001, .*more than 200000 measures in 2 parts/,
    )
  })

  it('puts an element beside the parts of a measure into the next part, or the last one', () => {
    const xml = `<score-timewise><measure><print/><part id="P1"><note/></part>
      <part id="P2"/><barline/></measure><measure><print/></measure></score-timewise>`
    const repairs = createRepairs()
    const parts = partsOf({ root: readMusicXml(Buffer.from(xml), repairs).root })
    const names = parts.map((part) =>
      measuresOf(part).map(({ children }) => children.map(({ name }) => name)),
    )
    expect(names).toEqual([
      [['print', 'note'], []],
      [['barline'], []],
    ])
    expect(repairs.list[0]).toEqual({
      line: null,
      message: 'Measure 1 of the time-wise score has <print> beside its parts. It was put into a part.',
    })
    expect(repairs.count).toBe(3)
  })
})

describe('readMusicXml refuses, with the problem and its place,', () => {
  it.each([
    ['an empty file', '', ['empty']],
    ['white space', ' \n', ['Line 2', 'root element']],
    ['a truncated tag', '<score-partwise>\n<part', ['Line 2, column 5', '<score-partwise>']],
    [
      'a truncated score',
      '<score-partwise>\n<part>\n<measure>',
      ['Line 3, column 9', 'ends inside <measure>'],
    ],
    [
      'an end tag of another element',
      measureOf('\n<note>\n<pitch>\n</note>'),
      ['Line 4', '<pitch> of line 3'],
    ],
    ['a second root', `${measureOf('')}\n<part/>`, ['Line 2', 'one root']],
    ['text after the root', `${measureOf('')}\nx`, ['Line 2', 'text data']],
    ['an attribute without quotes', measureOf('\n<note x=1/>'), ['Line 2, column 9']],
    ['a repeated attribute', measureOf('<note x="1" x="2"/>'), ['Line 1', 'duplicate attribute: x']],
    ['a bare ampersand', measureOf('\n<words>A & B</words>'), ['Line 2']],
    ['an undefined entity', measureOf('\n<words>&nbsp;</words>'), ['Line 2, column 13', 'undefined entity']],
    ['an entity named like a property', measureOf('<words>&constructor;</words>'), ['undefined entity']],
    ['a control character', measureOf('\n<words>\u0001</words>'), ['Line 2, column 8', 'disallowed']],
    ['a reference to a control character', measureOf('<words>&#0;</words>'), ['character entity']],
    ['a web page', '<!DOCTYPE html>\n<html lang=en><br>', ['Line 2', '<html>', '<score-partwise>']],
    ['an opus', '<opus xmlns:xlink="http://www.w3.org/1999/xlink"/>', ['Line 1', '<opus>']],
    ['a score without parts', '<score-partwise><part-list/></score-partwise>', ['no part']],
    ['a time-wise score without measures', '<score-timewise/>', ['no part']],
    ['parts without measures', '<score-partwise><part id="P1"/><part/></score-partwise>', ['no measure']],
  ])('%s', (_what, xml, parts) => {
    const { code, status, message } = refusal(xml)
    expect({ code, status }).toEqual({ code: 'INVALID_MUSICXML', status: 400 })
    for (const part of parts) expect(message).toContain(part)
  })

  it.each([
    ['an external entity', '<!ENTITY x SYSTEM "file:///etc/passwd">'],
    ['exponential entity expansion', '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'],
    ['a parameter entity', '<!ENTITY % x SYSTEM "http://127.0.0.1:9/x">%x;'],
  ])('%s', (_what, declarations) => {
    const xml = `<?xml version="1.0"?>\n<!DOCTYPE score-partwise [${declarations}]>\n${measureOf('<words>&b;&x;</words>')}`
    const { code, message } = refusal(xml)
    expect(code).toBe('INVALID_MUSICXML')
    expect(message).toContain('Line 2')
    expect(message).toContain('declares entities')
  })

  it.each([
    '',
    ' ',
    'x',
    '-1',
    '0',
    '1e3',
    'NaN',
    'INF',
    'Infinity',
    '0x10',
    '1,5',
    `${MAX_DIVISIONS + 1}`,
    '9'.repeat(400),
  ])('divisions of "%s"', (divisions) => {
    const { code, message } = refusal(
      measureOf(`\n<attributes><divisions>${divisions}</divisions></attributes>`),
    )
    expect(code).toBe('INVALID_MUSICXML')
    expect(message).toMatch(/^Line 2, column \d+: <divisions> is "/)
    expect(message.length).toBeLessThan(200)
  })

  it.each(['', 'x', '-1', '1e3', 'NaN', `${MAX_DIVISIONS + 1}`, '--1'])('a duration of "%s"', (duration) => {
    for (const event of ['note', 'backup', 'forward']) {
      const { message } = refusal(measureOf(`<${event}>\n<duration>${duration}</duration></${event}>`))
      expect(message).toMatch(/^Line 2, column \d+: <duration> is "/)
    }
  })

  it('durations that add up to an unplayable length', () => {
    const long = '<note><duration>900000000</duration></note>'
    const { code, message } = refusal(
      measureOf(`<attributes><divisions>1000</divisions></attributes>${long}${long}`),
    )
    expect(code).toBe('INVALID_MUSICXML')
    expect(message).toContain('Part 1, measure 1')
    expect(message).toContain(`${MAX_PART_QUARTERS} quarter notes`)
  })

  it('any number of elements that nest too deep', () => {
    const deep = refusal(`<score-partwise>${'<a>'.repeat(500_000)}`)
    expect(deep.code).toBe('INVALID_MUSICXML')
    expect(deep.message).toContain(`nest deeper than ${MAX_DEPTH}`)
  })

  it('too many attributes in one element or in all elements', () => {
    const attributes = Array.from({ length: MAX_ATTRIBUTES + 1 }, (_, index) => `a${index}=""`)
    expect(refusal(measureOf(`<note ${attributes.join(' ')}/>`)).message).toMatch(/^Line 1, .*attributes/)
    const many = '<a b="" c="" d=""/>'.repeat(MAX_ATTRIBUTES_TOGETHER / 3 + 1)
    expect(refusal(measureOf(many)).message).toMatch(/^Line 1, .*more than 600000 attributes/)
  })

  it('too many elements', () => {
    expect(refusal(measureOf('<a/>'.repeat(MAX_ELEMENTS))).message).toMatch(/^Line 1, .*elements/)
  })

  it('more elements in a score of 10 MiB than in a large one', () => {
    const large = measureOf('<a/>'.repeat(MAX_ELEMENTS)) + ' '.repeat(LARGE_SCORE)
    expect(partsOf(readMusicXml(Buffer.from(large)))).toHaveLength(1)
    expect(refusal(large.slice(0, LARGE_SCORE)).message).toMatch(/^Line 1, .*elements/)
  })

  it('too many parts or measures', () => {
    expect(refusal(`<score-partwise>${'<part/>'.repeat(MAX_PARTS + 1)}</score-partwise>`).message).toContain(
      `more than ${MAX_PARTS}`,
    )
    const many = `<score-partwise><part>${'<measure/>'.repeat(MAX_MEASURES + 1)}</part></score-partwise>`
    expect(refusal(many).message).toMatch(/^Part 1 has \d+ measures/)
    const parts = MAX_MEASURES_OF_PARTS / MAX_MEASURES + 1
    const together = `<score-partwise>${`<part>${'<measure/>'.repeat(MAX_MEASURES)}</part>`.repeat(parts)}</score-partwise>`
    expect(refusal(together).message).toContain(
      `Up to part ${parts}, the parts have more than ${MAX_MEASURES_OF_PARTS}`,
    )
  })

  it('XML that is too long', () => {
    const failure = refusal(measureOf(`<words>${'x'.repeat(MAX_XML_BYTES)}</words>`))
    expect(failure).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 })
    expect(failure.message).toContain(String(MAX_XML_BYTES))
  })

  it('a picture, with the position of its first invalid byte', () => {
    expect(refusal(Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)).message).toContain(
      'byte at offset 0',
    )
  })
})

describe('readMusicXml reads', () => {
  it.each(['1', '0.5', '.5', '5.', ' 480 ', `${MAX_DIVISIONS}`])('divisions of "%s"', (divisions) => {
    const measure = firstMeasure(`<attributes><divisions>${divisions}</divisions></attributes>`)
    expect(child(measure, 'attributes')?.children[0]?.text).toBe(divisions)
  })

  it('a tempo of 0, which the specification allows', () => {
    expect(firstMeasure('<sound tempo="0"/>').children).toHaveLength(1)
  })
})

describe('readMusicXml repairs, and reports with the line,', () => {
  function repaired(content: string) {
    const repairs = createRepairs()
    const { root } = readMusicXml(Buffer.from(measureOf(content)), repairs)
    const [measure] = measuresOf(partsOf({ root })[0] as Element)
    return { measure: measure as Element, repairs }
  }

  it.each([
    ['text after an element', '\n<note/>\nsome words'],
    ['text before an element', '\nsome words\n<note/>'],
    ['CDATA between elements', '<note/>\n\n<![CDATA[some words]]><note/>'],
  ])('%s', (_what, content) => {
    const { measure, repairs } = repaired(content)
    expect(measure.children.every(({ name }) => name === 'note')).toBe(true)
    expect(measure.text).toBe('')
    expect(repairs.list).toEqual([
      { line: 3, message: '<measure> has the text "some words" beside elements. The text was left out.' },
    ])
  })

  it.each(['-1', `${MAX_REPEAT_TIMES + 1}`, '1.5', 'x', '9'.repeat(400)])(
    'a repeat that is played "%s" times',
    (times) => {
      const { measure, repairs } = repaired(
        `\n<barline><repeat direction="backward" times="${times}"/></barline>`,
      )
      expect({ ...measure.children[0]?.children[0]?.attributes }).toEqual({ direction: 'backward' })
      expect(repairs.list[0]).toMatchObject({
        line: 2,
        message: expect.stringContaining('<repeat> has times'),
      })
    },
  )

  it.each(['', '-60', 'x', `${MAX_TEMPO + 1}`, `${MIN_TEMPO / 2}`, 'INF', '120 bpm'])(
    'a tempo of "%s"',
    (tempo) => {
      const { measure, repairs } = repaired(`\n<sound dynamics="80" tempo="${tempo}"/>`)
      expect({ ...measure.children[0]?.attributes }).toEqual({ dynamics: '80' })
      expect(repairs.list[0]).toMatchObject({ line: 2, message: expect.stringContaining('tempo of <sound>') })
    },
  )

  it('every fault, and names the first hundred', () => {
    const { repairs } = repaired('<note/>x'.repeat(1000))
    expect([repairs.list.length, repairs.count]).toEqual([MAX_REPAIRS, 1000])
  })
})
