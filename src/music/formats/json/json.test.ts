import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../../../test/support/failure.ts'
import { type Element, measuresOf, partsOf } from '../../model/document.ts'
import { MAX_JSON_LENGTH, readJson } from './read.ts'
import { writeJson } from './write.ts'
import { readMusicXml } from '../musicxml/read.ts'
import {
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTES_TOGETHER,
  MAX_DEPTH,
  MAX_ELEMENTS,
  MAX_NAMES,
} from '../../model/limits.ts'

/** The JSON form of the measure, parsed, of a score that holds these elements. */
function measureJson(content: string): unknown {
  const xml = `<score-partwise><part><measure>${content}</measure></part></score-partwise>`
  const json = writeJson(readMusicXml(Buffer.from(xml)))
  expect(readJson(json)).toEqual(readMusicXml(Buffer.from(xml)))
  return JSON.parse(json)['score-partwise'].part[0].measure[0]
}

/** A score with one measure, given as JSON. */
function scoreOf(measure: string): string {
  return `{"score-partwise":{"part":[{"measure":[${measure}]}]}}`
}

function measureFrom(measure: string): Element {
  const [read] = measuresOf(partsOf(readJson(scoreOf(measure)))[0] as Element)
  return read as Element
}

function refusal(json: string): { code: string; status: number; message: string } {
  return failureOf(() => readJson(json))
}

describe('writeJson', () => {
  it('writes an element that has only text as a string', () => {
    expect(measureJson('<voice>1</voice><staff/>')).toEqual({ voice: '1', staff: '' })
  })

  it('writes attributes with a dollar sign and their text as #text', () => {
    expect(measureJson('<a b="1"/><c d="2">e</c><h g=""> </h>')).toEqual({
      a: { $b: '1' },
      c: { $d: '2', '#text': 'e' },
      h: { $g: '', '#text': ' ' },
    })
  })

  it('writes an array for elements that MusicXML allows more than once or that occur more than once', () => {
    expect(measureJson('<note><voice>1</voice><dot/></note><a/><a/><b/>')).toEqual({
      note: [{ voice: '1', dot: [''] }],
      a: ['', ''],
      b: '',
    })
  })

  it('writes the order of the children only if the order of the keys does not give it', () => {
    expect(measureJson('<attributes/><note/><note/>')).not.toHaveProperty('$order')
    const interleaved = '<attributes/><note/><note/><note/><backup/><note/><note/><barline/>'
    expect(measureJson(interleaved)).toEqual({
      $order: ['attributes', 'note', 3, 'backup', 'note', 2, 'barline'],
      attributes: [''],
      note: ['', '', '', '', ''],
      backup: [''],
      barline: [''],
    })
  })

  it('distinguishes attributes named like reserved keys from these keys', () => {
    expect(measureJson('<a uuid="1" order="2" text="3"/><b order="4">5</b>')).toEqual({
      a: { $$uuid: '1', $$order: '2', $text: '3' },
      b: { $$order: '4', '#text': '5' },
    })
  })

  it('writes the uuids of parts and measures', () => {
    const document = readMusicXml(
      Buffer.from('<score-partwise><part id="P1"><measure/></part></score-partwise>'),
    )
    const [part] = partsOf(document)
    if (part) part.uuid = '11111111-1111-4111-8111-111111111111'
    for (const measure of part?.children ?? []) measure.uuid = '22222222-2222-4222-8222-222222222222'
    const json = writeJson(document)
    expect(JSON.parse(json)['score-partwise'].part).toEqual([
      {
        $uuid: '11111111-1111-4111-8111-111111111111',
        $id: 'P1',
        measure: [{ $uuid: '22222222-2222-4222-8222-222222222222' }],
      },
    ])
    expect(readJson(json)).toEqual(document)
  })

  it('keeps names that have a meaning in JavaScript', () => {
    const json = measureJson('<__proto__ __proto__="1">a</__proto__><constructor/><__proto__/>')
    expect(Object.keys(json as object)).toEqual(['$order', '__proto__', 'constructor'])
  })

  it('escapes characters that a JSON string cannot contain', () => {
    expect(measureJson('<a>"\\&#9;&#13;&#10;\u2028𝄞\u007f</a>')).toEqual({ a: '"\\\t\r\n\u2028𝄞\u007f' })
  })
})

describe('docs/json-format.md', () => {
  const guide = readFileSync(new URL('../../../../docs/json-format.md', import.meta.url), 'utf8')
  const example = (language: string): string =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? ''

  it('shows the JSON that the writer makes of its XML, except for the uuids', () => {
    const json = writeJson(readMusicXml(Buffer.from(example('xml'))))
    const shown = JSON.stringify(JSON.parse(example('json')))
    expect(json).toBe(shown.replaceAll(/"\$uuid":"[^"]*",/g, ''))
    expect(writeJson(readJson(example('json')))).toBe(shown)
  })
})

describe('readJson', () => {
  it('accepts an array with one item, and a single value instead of an array', () => {
    const names = (measure: Element): string[] => measure.children.map(({ name }) => name)
    expect(names(measureFrom('{"note":"","a":[""],"b":[]}'))).toEqual(['note', 'a'])
    expect(names(measureFrom('{"$order":["a",1,"b","a"],"a":["",""],"b":""}'))).toEqual(['a', 'b', 'a'])
  })

  it('reads an empty element', () => {
    expect(measureFrom('{"a":{},"b":{"#text":""}}').children).toEqual(measureFrom('{"a":"","b":""}').children)
  })

  it.each([
    ['text that is not JSON', '{"score-partwise":', ['not JSON', 'end of']],
    ['nothing', '', ['not JSON']],
    ['a syntax error', '{"score-partwise":{,}}', ['not JSON', 'position 19']],
    ['another root', '{"score-timewise":{}}', ['score-partwise']],
    ['a key beside the root', '{"score-partwise":{},"x":1}', ['one key']],
    ['an array', '[]', ['one key']],
    ['null', 'null', ['one key']],
    ['a root that is text', '{"score-partwise":"x"}', ['no part']],
    ['a root that is an array', '{"score-partwise":[]}', ['score-partwise: ']],
    ['a score without measures', '{"score-partwise":{"part":[""]}}', ['no measure']],
    [
      'a number',
      scoreOf('{"note":[{},{"voice":1}]}'),
      ['score-partwise.part[0].measure[0].note[1].voice: ', 'string or an object'],
    ],
    ['a null', scoreOf('{"note":null}'), ['measure[0].note: ']],
    ['an array in an array', scoreOf('{"note":[[]]}'), ['measure[0].note[0]: ']],
    ['an attribute that is not a string', scoreOf('{"$number":1}'), ['measure[0]: $number is not a string']],
    ['a text that is not a string', scoreOf('{"#text":{}}'), ['measure[0]: #text is not a string']],
    ['a uuid that is not a string', scoreOf('{"$uuid":1}'), ['measure[0]: $uuid']],
    ['a uuid of an element that has none', scoreOf('{"note":{"$uuid":"1"}}'), ['measure[0].note: ', '$uuid']],
    ['text beside elements', scoreOf('{"#text":" ","note":""}'), ['measure[0]: ', 'not both']],
    ['an element that XML cannot name', scoreOf('{"a b":""}'), ['measure[0]: "a b"']],
    ['an element that would be more than a name', scoreOf('{"x><y":""}'), ['measure[0]: "x><y"']],
    ['an element without a name', scoreOf('{"":""}'), ['measure[0]: ""']],
    ['an attribute that XML cannot name', scoreOf('{"$1":""}'), ['measure[0]: "$1"']],
    ['an attribute without a name', scoreOf('{"$":""}'), ['measure[0]: "$"']],
    ['two dollar signs that are not needed', scoreOf('{"$$number":""}'), ['measure[0]: "$$number"']],
    ['another key with a number sign', scoreOf('{"#texts":""}'), ['measure[0]: "#texts"']],
    ['a control character', scoreOf('{"words":"\\u0000"}'), ['measure[0].words: ', 'character']],
    ['a lone surrogate', scoreOf('{"$a":"\\ud834"}'), ['measure[0]: $a', 'character']],
    ['an order that is not an array', scoreOf('{"$order":"a","a":""}'), ['measure[0]: $order']],
    ['an order that begins with a number', scoreOf('{"$order":[1,"a"],"a":""}'), ['measure[0]: $order[0]']],
    ['an order with an unknown name', scoreOf('{"$order":["a","b"],"a":""}'), ['measure[0]: $order[1]']],
    ['an order with too many names', scoreOf('{"$order":["a",3],"a":["",""]}'), ['measure[0]: $order[1]']],
    [
      'an order with a missing name',
      scoreOf('{"$order":["a"],"a":["",""]}'),
      ['measure[0]: $order has 1 of 2'],
    ],
    ['a run of length zero', scoreOf('{"$order":["a",0],"a":""}'), ['measure[0]: $order[1]']],
    [
      'a run with a fractional length',
      scoreOf('{"$order":["a",1.5],"a":["",""]}'),
      ['measure[0]: $order[1]'],
    ],
    [
      'absurd divisions',
      scoreOf('{"attributes":[{"divisions":"0"}]}'),
      ['measure[0].attributes[0].divisions: ', '<divisions>'],
    ],
    ['an absurd duration', scoreOf('{"note":{"duration":"-4"}}'), ['measure[0].note.duration: ']],
    ['durations with an absurd sum', scoreOf('{"note":{"duration":"900000000"}}'), ['Part 1, measure 1']],
  ])('refuses %s and names the problem and its path', (_what, json, parts) => {
    const { code, status, message } = refusal(json)
    expect({ code, status }).toEqual({ code: 'INVALID_SCORE_JSON', status: 400 })
    for (const part of parts) expect(message).toContain(part)
    expect(message.length).toBeLessThan(300)
  })

  it('refuses 500,000 nested brackets or braces and names the character', () => {
    const brackets = '['.repeat(500_000)
    for (const json of [brackets, brackets + ']'.repeat(500_000), '{"a":'.repeat(500_000)]) {
      const { code, message } = refusal(json)
      expect(code).toBe('INVALID_SCORE_JSON')
      expect(message).toMatch(/nests too deep at character \d+/)
    }
  })

  it('refuses elements that nest too deep, but not brackets within text', () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}""${'}'.repeat(depth)}`
    expect(refusal(scoreOf(nested(MAX_DEPTH))).message).toContain(`deeper than ${MAX_DEPTH}`)
    expect(measureFrom(nested(MAX_DEPTH - 3)).children).toHaveLength(1)
    const text = '["\\'.repeat(1_000)
    expect(measureFrom(JSON.stringify({ words: text })).children[0]?.text).toBe(text)
  })

  it.each(['{"sound":{"$tempo":"0.5"}}', '{"barline":{"repeat":{"$times":"x"}}}'])(
    'refuses %s, which cannot be played',
    (content) => {
      expect(refusal(scoreOf(content)).message).toMatch(/tempo of <sound>|<repeat> has times/)
    },
  )

  it('refuses too many elements or attributes', () => {
    expect(refusal(scoreOf(`{"a":[${'"",'.repeat(MAX_ELEMENTS)}""]}`)).message).toContain(
      `more than ${MAX_ELEMENTS} elements`,
    )
    expect(refusal(`[${'{},'.repeat(2 * MAX_ELEMENTS)}{}]`).message).toContain('too many elements')
    const attributes = Array.from({ length: MAX_ATTRIBUTES + 1 }, (_, index) => `"$a${index}":""`)
    expect(refusal(scoreOf(`{${attributes.join()}}`)).message).toContain(
      `more than ${MAX_ATTRIBUTES} attributes`,
    )
    const many = `{"a":[${'{"$b":"","$c":"","$d":""},'.repeat(MAX_ATTRIBUTES_TOGETHER / 3 + 1)}{}]}`
    expect(refusal(scoreOf(many)).message).toContain(`more than ${MAX_ATTRIBUTES_TOGETHER} attributes`)
  })

  it('refuses too many different keys anywhere', () => {
    const keys = (make: (key: number) => string) =>
      Array.from({ length: 2 * MAX_NAMES + 1 }, (_, key) => make(key)).join()
    for (const content of [
      `{${keys((key) => `"a${key}":""`)}}`,
      `{"a":[${keys((key) => `{"$a${key}":""}`)}]}`,
    ]) {
      expect(refusal(scoreOf(content)).message).toMatch(
        /^The JSON has too many different keys at character \d+\.$/,
      )
    }
  })

  it('refuses JSON that is too long', () => {
    expect(refusal(' '.repeat(MAX_JSON_LENGTH + 1))).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 })
  })

  it('does not change the prototype of objects', () => {
    expect(refusal('{"__proto__":{"polluted":1}}').code).toBe('INVALID_SCORE_JSON')
    measureFrom('{"__proto__":{"polluted":""},"$__proto__":"1"}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
