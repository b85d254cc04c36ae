import { describe, expect, it } from 'vitest'
import { type Element, measuresOf, partsOf, type ScoreDocument } from './document.ts'
import { readMusicXml } from '../formats/musicxml/read.ts'
import { identify } from './uuids.ts'

interface Part {
  readonly id?: string
  readonly name?: string
  /** Each letter is a measure with that content. */
  readonly measures: string
}

/** The attributes at the start of a score, in its first measure. */
const opening = '<attributes><key><fifths>1</fifths></key></attributes>'

function scoreOf(...parts: Part[]): ScoreDocument {
  const list = parts.map(
    ({ id, name }) => `<score-part id="${id}"><part-name>${name ?? ''}</part-name></score-part>`,
  )
  const music = parts.map(({ id, measures }) => {
    const written = [...measures].map(
      (letter, index) =>
        `<measure number="${index + 1}" width="${index}">${index === 0 ? opening : ''}<note default-x="${index}">${letter}</note></measure>`,
    )
    return `<part${id === undefined ? '' : ` id="${id}"`}>${written.join('')}</part>`
  })
  const xml = `<score-partwise><part-list>${list.join('')}</part-list>${music.join('')}</score-partwise>`
  return readMusicXml(Buffer.from(xml))
}

/** Uuids that count up, so that new ones can be recognized. */
function counting(from = 1): () => string {
  let next = from
  return () => `00000000-0000-4000-8000-${String(next++).padStart(12, '0')}`
}

function partUuids(document: ScoreDocument): Array<string | undefined> {
  return partsOf(document).map(({ uuid }) => uuid)
}

function measureUuids(document: ScoreDocument, part = 0): Array<string | undefined> {
  return measuresOf(partsOf(document)[part] as Element).map(({ uuid }) => uuid)
}

/** For each measure of the second version, its index in the first version, or -1 if it is new. */
function origins(before: Part[], after: Part[]): number[] {
  const previous = scoreOf(...before)
  identify(previous, counting())
  const document = scoreOf(...after)
  identify(document, counting(1_000_000), previous)
  const places = new Map(measureUuids(previous).map((uuid, index) => [uuid, index]))
  const origin = measureUuids(document).map((uuid) => places.get(uuid) ?? -1)
  expect(new Set(measureUuids(document)).size).toBe(origin.length)
  return origin
}

const flute = { id: 'P1', name: 'Flute' }
const oboe = { id: 'P2', name: 'Oboe' }

describe('identify', () => {
  it('gives every part a uuid, and every measure of the score one that the parts share', () => {
    const document = scoreOf({ ...flute, measures: 'abc' }, { ...oboe, measures: 'de' })
    identify(document, counting())
    expect(new Set([...partUuids(document), ...measureUuids(document)]).size).toBe(5)
    expect(measureUuids(document, 1)).toEqual(measureUuids(document).slice(0, 2))
  })

  it('keeps uuids that the document has', () => {
    const document = scoreOf({ ...flute, measures: 'abc' }, { ...oboe, measures: 'def' })
    identify(document, counting())
    const before = structuredClone(document)
    identify(document, counting(1_000_000), scoreOf({ ...flute, measures: 'abc' }))
    expect(document).toEqual(before)
  })

  it('replaces uuids that are malformed or occur twice', () => {
    const uuid = '11111111-1111-4111-8111-111111111111'
    const document = scoreOf({ ...flute, measures: 'abc' }, { ...oboe, measures: 'def' })
    for (const part of partsOf(document)) {
      part.uuid = uuid
      for (const measure of measuresOf(part)) measure.uuid = uuid.toUpperCase()
    }
    const [first] = measuresOf(partsOf(document)[0] as Element)
    if (first) first.uuid = '22222222-2222-4222-8222-222222222222'
    identify(document, counting())
    expect(partUuids(document)[0]).toBe(uuid)
    expect(measureUuids(document, 1)[0]).toBe('22222222-2222-4222-8222-222222222222')
    const all = [...partUuids(document), ...measureUuids(document)]
    expect(new Set(all).size).toBe(5)
    for (const one of all) expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })
})

describe('identify finds the parts of the version before', () => {
  function originsOfParts(before: Part[], after: Part[]): number[] {
    const previous = scoreOf(...before)
    identify(previous, counting())
    const document = scoreOf(...after)
    identify(document, counting(1_000_000), previous)
    return partUuids(document).map((uuid) => partUuids(previous).indexOf(uuid))
  }

  it.each([
    ['unchanged', [flute, oboe], [flute, oboe], [0, 1]],
    ['in another order', [flute, oboe], [oboe, flute], [1, 0]],
    ['under another name', [flute, oboe], [{ id: 'P1', name: 'Traverso' }, oboe], [0, 1]],
    ['under another id', [flute], [{ id: 'X', name: 'Flute' }], [0]],
    [
      'after a new one',
      [flute, oboe],
      [
        { id: 'P1', name: 'Piccolo' },
        { ...flute, id: 'P2' },
        { ...oboe, id: 'P3' },
      ],
      [-1, 0, 1],
    ],
    ['without one of them', [flute, oboe], [{ id: 'P1', name: 'Oboe' }], [1]],
    ['with the same name twice', [flute, { ...flute, id: 'P2' }], [{ ...flute, id: 'P2' }, flute], [1, 0]],
    ['without names', [{ id: 'P1' }, { id: 'P2' }], [{ id: 'P1' }, { id: 'P2' }, { id: 'P3' }], [0, 1, -1]],
  ])('%s', (_how, before, after, expected) => {
    const withMeasures = (parts: Array<Omit<Part, 'measures'>>): Part[] =>
      parts.map((part) => ({ ...part, measures: 'a' }))
    expect(originsOfParts(withMeasures(before), withMeasures(after))).toEqual(expected)
  })
})

describe('identify finds the measures of the version before', () => {
  it.each([
    ['unchanged', 'abcd', 'abcd', [0, 1, 2, 3]],
    ['after an inserted one', 'abcd', 'abxcd', [0, 1, -1, 2, 3]],
    ['after a removed one', 'abcd', 'acd', [0, 2, 3]],
    ['after one that was inserted at the start', 'abcd', 'xabcd', [-1, 0, 1, 2, 3]],
    ['without the first one', 'abcd', 'bcd', [1, 2, 3]],
    ['with a changed one', 'abcd', 'abxd', [0, 1, 2, 3]],
    ['with several changed ones', 'abcdef', 'axyzef', [0, 1, 2, 3, 4, 5]],
    ['if all have changed', 'abcd', 'wxyz', [0, 1, 2, 3]],
    ['changed at one position and inserted at another', 'abcdef', 'axcdyef', [0, 1, 2, 3, -1, 4, 5]],
    ['if others have replaced them', 'abcdef', 'axyzdef', [0, -1, -1, -1, 3, 4, 5]],
    ['among equal ones', 'rrrarrr', 'rrarrr', [0, 1, 3, 4, 5, 6]],
  ])('%s', (_how, before, after, expected) => {
    expect(origins([{ ...flute, measures: before }], [{ ...flute, measures: after }])).toEqual(expected)
  })

  it('by one part if all other parts have changed', () => {
    const before = [
      { ...flute, measures: 'abcdef' },
      { ...oboe, measures: 'uvwxyz' },
    ]
    const after = [
      { ...flute, measures: '123456' },
      { ...oboe, measures: 'vwxyzq' },
    ]
    expect(origins(before, after)).toEqual([1, 2, 3, 4, 5, -1])
  })

  it('with parts that are new or removed', () => {
    const other = { id: 'P9', name: 'Horn', measures: 'mnopq' }
    expect(origins([{ ...flute, measures: 'abcd' }], [{ ...flute, measures: 'abxcd' }, other])).toEqual([
      0, 1, -1, 2, 3,
    ])
    expect(origins([{ ...flute, measures: 'abcd' }, other], [{ ...flute, measures: 'acd' }])).toEqual([
      0, 2, 3,
    ])
  })

  it('regardless of their numbers and layout', () => {
    const previous = scoreOf({ ...flute, measures: 'abc' })
    identify(previous, counting())
    const xml = `<score-partwise><part id="P1"><measure number="7" implicit="yes"><note>x</note></measure>
      <measure number="X"><print new-system="yes"/><note default-x="99" relative-y="1">a</note></measure>
      <measure><note>b</note></measure><measure><note id="n1">c</note></measure></part></score-partwise>`
    const document = readMusicXml(Buffer.from(xml))
    identify(document, counting(1_000_000), previous)
    expect(measureUuids(document).slice(1)).toEqual(measureUuids(previous))
  })

  it('without using a uuid twice', () => {
    const previous = scoreOf({ ...flute, measures: 'ab' })
    identify(previous, counting())
    const document = scoreOf({ ...flute, measures: 'ab' })
    const [, second] = measuresOf(partsOf(document)[0] as Element)
    if (second) second.uuid = measureUuids(previous)[0] ?? ''
    identify(document, counting(1_000_000), previous)
    expect(measureUuids(document)[1]).toBe(measureUuids(previous)[0])
    expect(measureUuids(previous)).not.toContain(measureUuids(document)[0])
  })

  it('among 10,000', () => {
    const measures = Array.from({ length: 10_000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 9_001)),
    )
    const origin = origins(
      [{ ...flute, measures: measures.join('') }],
      [{ ...flute, measures: measures.toSpliced(5_000, 2, 'x').join('') }],
    )
    expect(origin.filter((at) => at < 0)).toHaveLength(1)
  })
})
