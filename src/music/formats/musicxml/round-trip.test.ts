import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { corpusFiles, corpusTitle, hasCorpus } from '../../../../test/support/corpus.ts'
import { failureOf } from '../../../../test/support/failure.ts'
import { type Element, newAttributes, noAttributes, type ScoreDocument } from '../../model/document.ts'
import { decodeXml } from '../../xml/encoding.ts'
import { readJson } from '../json/read.ts'
import { writeJson } from '../json/write.ts'
import { alwaysArrays } from '../json/arrays.ts'
import { readMusicXml } from './read.ts'
import { writeMusicXml } from './write.ts'
import { readMxl } from '../mxl/read.ts'
import { writeMxl } from '../mxl/write.ts'

/** Names that are plain, that have a meaning to the formats or to JavaScript, or are just allowed. */
const names = fc.oneof(
  fc.constantFrom(
    'note',
    'backup',
    'direction',
    'words',
    'voice',
    'part',
    'measure',
    'uuid',
    'order',
    'text',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', 'xml:lang', 'é·-.7', '_', ':', '𠀀'),
)

/** Text with white space that likes to get lost, markup, and characters from everywhere. */
const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '\r\n',
    '\t',
    ' a ',
    ']]>',
    '<a b="c">&amp;</a>',
    '"\\',
    '\u00a0',
    '\u0085\u2028',
    '𝄞',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const written = texts.filter((text) => !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))

const attributeRecords = fc
  .uniqueArray(fc.tuple(names, written), { selector: ([name]) => name, maxLength: 4 })
  .map((entries) => {
    if (entries.length === 0) return noAttributes
    return Object.assign(newAttributes(), Object.fromEntries(entries))
  })

const { element: elements } = fc.letrec<{ element: Element; content: Pick<Element, 'children' | 'text'> }>(
  (tie) => ({
    element: fc
      .record({
        name: names,
        attributes: attributeRecords,
        content: tie('content'),
        uuid: fc.uuid(),
        hasUuid: fc.boolean(),
      })
      .map(({ name, attributes, content, uuid, hasUuid }) => ({
        name,
        attributes,
        ...content,
        ...(hasUuid && (name === 'part' || name === 'measure') ? { uuid } : {}),
      })),
    content: fc.oneof(
      { depthSize: 'xsmall', withCrossShrink: true },
      written.map((text) => ({ children: [], text })),
      fc.array(tie('element'), { minLength: 1, maxLength: 5 }).map((children) => ({ children, text: '' })),
    ),
  }),
)

const scores: fc.Arbitrary<ScoreDocument> = fc
  .record({
    attributes: attributeRecords,
    header: fc.array(elements, { maxLength: 2 }),
    music: fc.array(elements, { maxLength: 8 }),
  })
  .map(({ attributes, header, music }) => {
    const measure: Element = { name: 'measure', attributes: noAttributes, children: music, text: '' }
    const part: Element = { name: 'part', attributes: noAttributes, children: [measure], text: '' }
    return { root: { name: 'score-partwise', attributes, children: [...header, part], text: '' } }
  })

function withoutUuids(element: Element): Element {
  const { name, attributes, children, text } = element
  return { name, attributes, children: children.map(withoutUuids), text }
}

describe('any score', () => {
  it('is the same after XML, except for its uuids', () => {
    fc.assert(
      fc.property(scores, (document) => {
        expect(readMusicXml(Buffer.from(writeMusicXml(document))).root).toStrictEqual(
          withoutUuids(document.root),
        )
      }),
      { seed: 20, numRuns: 1_000 },
    )
  })

  it('is the same after JSON', () => {
    fc.assert(
      fc.property(scores, (document) => {
        const json = writeJson(document)
        expect(readJson(json).root).toStrictEqual(document.root)
        expect(writeJson(readJson(json))).toBe(json)
      }),
      { seed: 21, numRuns: 1_000 },
    )
  })
})

/**
 * The events of an XML file, read with another reader: one line for each event, attributes sorted by name,
 * text of elements without children unchanged, white space between elements dropped.
 */
function canonical(xml: string): string[] {
  const parser = new SaxesParser({ xmlns: false })
  const lines: string[] = []
  let text = ''
  let isLeaf = false
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('cdata', (part) => {
    text += part
  })
  parser.on('opentag', ({ name, attributes }) => {
    text = ''
    isLeaf = true
    const sorted = Object.keys(attributes).sort()
    lines.push(`<${name} ${sorted.map((key) => `${key}=${JSON.stringify(attributes[key])}`).join(' ')}`)
  })
  parser.on('closetag', ({ name }) => {
    if (isLeaf) lines.push(JSON.stringify(text))
    text = ''
    isLeaf = false
    lines.push(`/${name}`)
  })
  parser.write(xml).close()
  return lines
}

/** The first event that differs, on both sides. Printing a whole comparison would take too long. */
function firstDifference(lines: readonly string[], expected: readonly string[]): string | undefined {
  for (let at = 0; at < Math.max(lines.length, expected.length); at++) {
    if (lines[at] !== expected[at]) return `event ${at} is ${lines[at]}, not ${expected[at]}`
  }
  return undefined
}

/** The files of the suite that violate MusicXML, with the problem and its place. */
const refused: Record<string, string> = {
  // </part> occurs inside of a <measure>: not well-formed (XML 1.0, section 3, "Element Type Match").
  '32ad-Notations5.musicxml':
    'Line 141, column 9: another element is closed than the open <measure> of line 67.',
}

describe.skipIf(!hasCorpus)(corpusTitle('real scores'), () => {
  const suite = corpusFiles('musicxml-suite')
  const lieder = corpusFiles('lieder-mxl')
  const readable = [...suite, ...lieder].filter(({ name }) => !(name in refused))

  it('are complete', () => {
    expect([suite.length, lieder.length]).toEqual([150, 40])
  })

  it.each(Object.keys(refused))('%s is refused with its line', (name) => {
    const bytes = suite.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0)
    const { code, message } = failureOf(() => readMusicXml(bytes))
    expect({ code, message }).toEqual({ code: 'INVALID_MUSICXML', message: refused[name] })
  })

  it.each(readable)(
    '$name keeps every element, attribute and text, through XML, JSON and MXL',
    async ({ name, bytes }) => {
      const file = name.endsWith('.mxl') ? await readMxl(bytes) : bytes
      const expected = canonical(decodeXml(file))
      const document = readMusicXml(file)
      const xml = writeMusicXml(document)
      expect(firstDifference(canonical(xml), expected)).toBeUndefined()
      const fromJson = writeMusicXml(readJson(writeJson(document)))
      expect(firstDifference(canonical(fromJson), expected)).toBeUndefined()
      expect(Buffer.from(await readMxl(await writeMxl(xml))).toString()).toBe(xml)
    },
  )

  it('repeat only elements that the JSON form always writes as arrays', async () => {
    const missing = new Set<string>()
    const visit = (element: Element): void => {
      for (const [name, children] of Map.groupBy(element.children, (child) => child.name)) {
        if (children.length > 1 && !alwaysArrays.has(name)) missing.add(`${element.name}/${name}`)
      }
      element.children.forEach(visit)
    }
    for (const { name, bytes } of readable)
      visit(readMusicXml(name.endsWith('.mxl') ? await readMxl(bytes) : bytes).root)
    expect([...missing]).toEqual([])
  })
})
