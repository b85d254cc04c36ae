import { describe, expect, test } from 'vitest'
import {
  child,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../model/document.ts'
import { writeMusicXml } from '../../formats/musicxml/write.ts'
import { edited, identifiedScore, placeIn, testUuid, voiceText } from '../../testing/editing-score.ts'
import { editingFaults } from '../../testing/editing-faults.ts'
import { note } from '../../testing/mini-score.ts'
import { voiceFaults } from '../../testing/voices.ts'
import { applyOperation } from '../apply.ts'
import { measureIn as measureInfo } from '../reading.ts'
import { TICKS_PER_QUARTER } from '../values.ts'

const time = (beats: number) => `<time><beats>${beats}</beats><beat-type>4</beat-type></time>`
const tied = (type: string) => `<notations><tied type="${type}"/></notations>`
const whole = (pitch: string, more = '', before = '') =>
  note(pitch, 4, `${before}<voice>1</voice><type>whole</type><staff>1</staff>${more}`)
const lower = (duration: number) =>
  `<backup><duration>${duration}</duration></backup>${note('C3', duration, `<voice>5</voice><type>${duration === 4 ? 'whole' : 'half'}</type>${duration === 3 ? '<dot/>' : ''}<staff>2</staff>`)}`
const final = '<barline location="right"><bar-style>light-heavy</bar-style></barline>'
const score = identifiedScore([
  `<attributes><divisions>1</divisions><key><fifths>0</fifths></key>${time(4)}<staves>2</staves></attributes>${
    whole('C4', tied('start'), '<tie type="start"/>') + lower(4)
  }`,
  whole('C4', tied('stop'), '<tie type="stop"/>') + lower(4),
  `<attributes>${time(3)}</attributes>${note('E4', 3, '<voice>1</voice><type>half</type><dot/><staff>1</staff>')}${lower(3)}`,
  `${note('F4', 3, '<voice>1</voice><type>half</type><dot/><staff>1</staff>')}${lower(3)}${final}`,
])
const uuidAt = (measure: number): string => placeIn(score, measure, 0).measure
const [one, two] = [testUuid(101), testUuid(102)]

const measuresIn = (document: ScoreDocument): Element[] => measuresOf(partsOf(document)[0] as Element)
const numbers = (document: ScoreDocument) => measuresIn(document).map(({ attributes }) => attributes.number)
const faults = (document: ScoreDocument) => [
  ...editingFaults(document),
  ...partsOf(document).flatMap((part) => voiceFaults(part, 4)),
]

describe('new measures', () => {
  test('stand before a measure with the time signature that holds there, and the numbers go on', () => {
    const { document, changes } = edited(score, {
      type: 'insertMeasures',
      before: uuidAt(2),
      uuids: [one, two],
    })
    expect(measuresIn(document).map(({ uuid }) => uuid)).toEqual([
      uuidAt(0),
      uuidAt(1),
      one,
      two,
      uuidAt(2),
      uuidAt(3),
    ])
    expect(numbers(document)).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(faults(document)).toEqual([])
    expect([1, 2].map((staff) => voiceText(document, 2, 1, staff))).toEqual(['R', 'R'])
    expect(changes).toEqual({ measures: [], added: [one, two], removed: [], isWhole: true })
  })

  test('at the start get the signatures of the first measure', () => {
    const { document } = edited(score, { type: 'insertMeasures', before: uuidAt(0), uuids: [one] })
    const [first, second] = measuresIn(document)
    expect(first?.children.map(({ name }) => name)).toEqual(['attributes', 'note', 'backup', 'note'])
    expect(second?.children[0]?.name).toBe('note')
    expect(faults(document)).toEqual([])
  })

  test('at the end have the final bar line', () => {
    const { document } = edited(score, { type: 'insertMeasures', before: null, uuids: [one] })
    const ends = measuresIn(document).map((measure) => {
      const barline = child(measure, 'barline')
      return barline && childText(barline, 'bar-style')
    })
    expect(ends).toEqual([undefined, undefined, undefined, undefined, 'light-heavy'])
    expect(numbers(document).at(-1)).toBe('5')
    expect(faults(document)).toEqual([])
  })

  test.each([
    ['noSuchMeasure', { before: testUuid(99), uuids: [one] }],
    ['invalidValue', { before: null, uuids: [] }],
    ['invalidValue', { before: null, uuids: ['x'] }],
    ['invalidValue', { before: null, uuids: [one, one] }],
    ['invalidValue', { before: null, uuids: [uuidAt(1)] }],
  ])('are refused: %s', (reason, operation) => {
    expect(applyOperation(score, { type: 'insertMeasures', ...operation })).toMatchObject({ reason })
  })
})

describe('measures that are deleted', () => {
  test('leave no ties, and their signatures to the next measure', () => {
    const first = edited(score, { type: 'deleteMeasures', measures: [uuidAt(0)] })
    expect(voiceText(first.document, 0)).toBe('C4:whole')
    expect(measuresIn(first.document)[0]?.children[0]?.name).toBe('attributes')
    expect(numbers(first.document)).toEqual(['1', '2', '3'])
    expect(faults(first.document)).toEqual([])
    const third = edited(score, { type: 'deleteMeasures', measures: [uuidAt(2)] })
    expect(faults(third.document)).toEqual([])
    expect(third.changes).toMatchObject({ removed: [uuidAt(2)], isWhole: true })
  })

  test('at the end leave the final bar line to the measure before', () => {
    const { document } = edited(score, { type: 'deleteMeasures', measures: [uuidAt(2), uuidAt(3)] })
    expect(measuresIn(document).at(-1)?.children.at(-1)?.name).toBe('barline')
  })

  test('are as before once they are inserted and deleted', () => {
    const more = edited(score, { type: 'insertMeasures', before: uuidAt(2), uuids: [one] })
    const back = edited(more.document, { type: 'deleteMeasures', measures: [one] })
    expect(writeMusicXml(back.document)).toBe(writeMusicXml(score))
  })

  test('are not all measures, and only those of the score', () => {
    const all = [0, 1, 2, 3].map(uuidAt)
    expect(applyOperation(score, { type: 'deleteMeasures', measures: all })).toMatchObject({
      reason: 'lastMeasure',
    })
    expect(applyOperation(score, { type: 'deleteMeasures', measures: [one] })).toMatchObject({
      reason: 'noSuchMeasure',
    })
  })
})

describe('a pick-up', () => {
  const beat = (beats: number) =>
    ({ type: 'setPickup', ticks: beats * TICKS_PER_QUARTER, uuid: one }) as const
  const made = edited(score, beat(1))
  const numbersAndLengths = (document: ScoreDocument) =>
    measuresIn(document).map(
      ({ attributes }) => `${attributes.number}${attributes.implicit ? ' implicit' : ''}`,
    )

  test('stands before the first measure, and has no number', () => {
    expect(numbersAndLengths(made.document)).toEqual(['0 implicit', '1', '2', '3', '4'])
    expect(measureInfo(made.document, placeIn(made.document, 0, 0).part, one)?.length).toBe(TICKS_PER_QUARTER)
    expect(editingFaults(made.document)).toEqual([])
  })

  test('becomes longer and shorter at its beginning, and goes', () => {
    const filled = edited(made.document, {
      type: 'insertNote',
      at: placeIn(made.document, 0, 0),
      value: { type: 'quarter', dots: 0 },
      pitch: { step: 'G', alter: 0, octave: 4 },
    })
    const longer = edited(filled.document, beat(2))
    expect(voiceText(longer.document, 0)).toBe('r:quarter, G4:quarter')
    const shorter = edited(longer.document, beat(1))
    expect(voiceText(shorter.document, 0)).toBe('G4:quarter')
    expect(applyOperation(shorter.document, beat(0.5))).toMatchObject({ reason: 'notesWouldBeLost' })
    expect(applyOperation(shorter.document, beat(0))).toMatchObject({ reason: 'notesWouldBeLost' })
    expect(numbersAndLengths(edited(made.document, beat(0)).document)).toEqual(['1', '2', '3', '4'])
    expect(applyOperation(score, beat(4))).toMatchObject({ reason: 'invalidValue' })
  })
})
