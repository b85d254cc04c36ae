import { describe, expect, test } from 'vitest'
import {
  child,
  childrenNamed,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../music/model/document.ts'
import { readMusicXml } from '../../music/formats/musicxml/read.ts'
import { chordNote, miniScore, note, rest } from '../../music/testing/mini-score.ts'
import { prepareForEngraving, measuresInView, openingOf } from './engraving.ts'

const partwise = (before: string, staves = 1) =>
  readMusicXml(
    Buffer.from(
      `<score-partwise>${before}<part-list><score-part id="P1"><part-name>Harp</part-name></score-part></part-list>
      <part id="P1"><measure number="1"><attributes><staves>${staves}</staves></attributes></measure></part></score-partwise>`,
    ),
  )

const page =
  '<defaults><page-layout><page-height>2000</page-height><page-width>1400</page-width></page-layout></defaults>'
const credit = (height: number, attributes = '') =>
  `<credit ${attributes}><credit-words default-x="10" default-y="${height}">Words</credit-words></credit>`

function creditHeights({ root }: ScoreDocument) {
  const credits = root.children.filter(({ name }) => name === 'credit')
  return credits.map((element) => Number(child(element, 'credit-words')?.attributes['default-y']))
}

test('moves credits above the first system into the room that the engine reserves for them', () => {
  const score = partwise(page + credit(1900) + credit(1850) + credit(1700))
  expect(creditHeights(prepareForEngraving(score))).toEqual([1900, 1850, 1810])
  expect(creditHeights(score)).toEqual([1900, 1850, 1700])
})

test('does not move credits at the foot, on later pages, or without a position', () => {
  const unplaced = '<credit page="1"><credit-words>Words</credit-words></credit>'
  const first = 'page="1"'
  const score = partwise(
    page + credit(1900, first) + credit(100, first) + credit(1700, 'page="2"') + unplaced,
  )
  expect(prepareForEngraving(score).root).toEqual(score.root)
})

test.each([
  ['A short one', 'A short one'],
  [
    'Das wohltemperierte Klavier, erster Teil: Präludium',
    'Das wohltemperierte Klavier, erster Teil:\nPräludium',
  ],
  ['x'.repeat(60), `${'x'.repeat(44)}\n${'x'.repeat(16)}`],
  ['word '.repeat(30), `${'word '.repeat(8)}word\n${'word '.repeat(8)}word …`],
  ['', ''],
])('breaks the title %j into at most two lines that fit on a page', (title, set) => {
  const score = partwise(`<work><work-title>${title}</work-title></work>${page}`)
  expect(prepareForEngraving(score).root.children[0]?.children[0]?.text).toBe(set)
})

test('cuts off an extremely long text in any element', () => {
  const text = (length: number) =>
    `<direction><direction-type><words>${'x'.repeat(length)}</words></direction-type></direction>`
  const words = ({ root }: ScoreDocument) =>
    measuresOf(root.children.at(-1) as Element).map(
      (measure) => measure.children[0]?.children[0]?.children[0]?.text,
    )
  expect(words(prepareForEngraving(miniScore([text(3_000), text(2_000)])))).toEqual([
    `${'x'.repeat(2_000)}…`,
    'x'.repeat(2_000),
  ])
})

describe('a tuplet note without a type', () => {
  const tuplet = (duration: number, [actual, normal]: readonly [number | string, number], more = '') =>
    `<note><rest/><duration>${duration}</duration>${more}<time-modification><actual-notes>${actual}</actual-notes>
    <normal-notes>${normal}</normal-notes></time-modification><notations><tuplet type="start"/></notations></note>`
  const prepared = (...measures: string[]) =>
    partsOf(prepareForEngraving(miniScore(measures)))
      .flatMap(measuresOf)
      .flatMap((measure) => childrenNamed(measure, 'note'))
  const summary = (note: Element | undefined) => note?.children.map(({ name, text }) => (text ? text : name))
  const divisions = (value: number) => `<attributes><divisions>${value}</divisions></attributes>`

  test('gets the type and dots of its duration', () => {
    const typed = (value: number, duration: number, ratio: readonly [number, number]) =>
      summary(prepared(divisions(value) + tuplet(duration, ratio, '<accidental>sharp</accidental>'))[0])
    const rest = ['sharp', 'time-modification', 'notations']
    expect(typed(480, 160, [3, 2])).toEqual(['rest', '160', 'eighth', ...rest])
    expect(typed(480, 240, [3, 2])).toEqual(['rest', '240', 'eighth', 'dot', ...rest])
    expect(typed(7, 4, [7, 4])).toEqual(['rest', '4', 'quarter', ...rest])
  })

  test('is counted in the divisions of an earlier measure', () => {
    const [, second] = prepared(divisions(480) + tuplet(160, [3, 2]), tuplet(160, [3, 2]))
    expect(summary(second)).toContain('eighth')
  })

  test.each([
    ['its duration is not that of any type', tuplet(1, [100, 1])],
    ['its duration is 0', tuplet(0, [3, 2])],
    ['the tuplet has too many notes', tuplet(4, [129, 1], '<type>quarter</type>')],
    ['the ratio is no number', tuplet(4, ['x', 1], '<type>quarter</type>')],
  ])('becomes an ordinary note if %s', (_, note) => {
    const [only] = prepared(note)
    expect(only?.children.map(({ name }) => name)).not.toContain('time-modification')
    expect(only && child(only, 'notations')?.children).toEqual([])
  })
})

describe('a score that would occupy the engine for too long is refused', () => {
  const words = (text: string) =>
    `<direction><direction-type><words>${text}</words></direction-type></direction>`
  const sound = '<sound tempo="100"/>'
  const metronome =
    '<direction><direction-type><metronome><beat-unit>quarter</beat-unit></metronome></direction-type></direction>'

  test.each<[string, string[][], string]>([
    [
      'too many parts',
      new Array(201).fill([rest(4)]),
      'The score has 201 parts. At most 200 parts can be engraved.',
    ],
    [
      'too many notes in a measure',
      [[rest(4), rest(1).repeat(1_001)]],
      'Part 1, measure 2 has 1001 notes and rests. At most 1000 can be engraved.',
    ],
    [
      'too many directions in a measure',
      [[rest(4), words('x').repeat(1_001)]],
      'Part 1, measure 2 has 1001 directions, chord symbols and syllables. At most 1000 can be engraved.',
    ],
    [
      'too much text in a measure',
      [[rest(4)], [words('x'.repeat(1_900)).repeat(60)]],
      'Part 2, measure 1 has 114000 characters of text. At most 100000 can be engraved.',
    ],
    [
      'too many tempo changes',
      [new Array(31).fill(sound.repeat(50) + metronome.repeat(50))],
      'Up to part 1, measure 31, the tempo changes too often. At most 3000 changes can be engraved.',
    ],
  ])('with %s', (_, parts, message) => {
    const score = miniScore(...parts)
    expect(() => prepareForEngraving(score)).toThrow(
      expect.objectContaining({ code: 'SCORE_NOT_RENDERABLE', message }),
    )
  })
})

test('scales down a score with many staves and no size so that it fits on a page', () => {
  const [defaults] = prepareForEngraving(partwise('', 36)).root.children
  expect(defaults).toMatchObject({
    name: 'defaults',
    children: [{ children: [{ text: '2.56' }, { text: '40' }] }],
  })
  expect(prepareForEngraving(partwise('', 2)).root.children[0]?.name).toBe('part-list')
  expect(prepareForEngraving(partwise(page, 36)).root.children[0]?.children).toHaveLength(1)
})

test('keeps the first measures of every part and everything before the music in the opening', () => {
  const score = miniScore([rest(4), rest(4), rest(4)], [rest(4), rest(4), rest(4)])
  const opening = openingOf(score, 2)
  expect(partsOf(opening).map((part) => measuresOf(part).map(({ attributes }) => attributes.number))).toEqual(
    [
      ['1', '2'],
      ['1', '2'],
    ],
  )
  expect(child(opening.root, 'part-list')).toBe(child(score.root, 'part-list'))
})

test('takes more measures into view if they are emptier or the staves are fewer, and at most all of them', () => {
  const repeated = (measure: string) => new Array<string>(200).fill(measure)
  const full = note('C4', 1) + chordNote('E4', 1) + note('D4', 1) + note('C4', 1) + note('C4', 1)
  const ofEmptyMeasures = measuresInView(miniScore(repeated(rest(4))))
  const ofFullMeasures = measuresInView(miniScore(repeated(full)))
  const inQuartet = measuresInView(miniScore(...new Array<string[]>(4).fill(repeated(full))))
  expect(ofEmptyMeasures).toBeGreaterThan(ofFullMeasures)
  expect(ofFullMeasures).toBeGreaterThan(inQuartet)
  expect(inQuartet).toBeGreaterThan(3)
  expect(measuresInView(miniScore([rest(4)]))).toBe(1)
})
