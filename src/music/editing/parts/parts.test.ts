import { describe, expect, test } from 'vitest'
import { buildScore } from '../../model/builder/builder.ts'
import { creditsOf } from '../../model/credits.ts'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../model/document.ts'
import { findInstrumentByKey } from '../../model/instruments/table.ts'
import { editingFaults } from '../../testing/editing-faults.ts'
import { edited, placeIn, testUuid, voiceText } from '../../testing/editing-score.ts'
import { orderFaults } from '../../testing/schema-order.ts'
import { voiceFaults } from '../../testing/voices.ts'
import { applyOperation } from '../apply.ts'
import { measuresIn, partsIn } from '../reading.ts'

let uuids = 0
const score = buildScore(
  {
    scoreData: {
      fifths: 1,
      nbBeats: 3,
      beatType: 4,
      instruments: [
        { group: 'strings', instrument: 'violin' },
        { group: 'strings', instrument: 'cello' },
        { group: 'keyboards', instrument: 'piano' },
      ],
    },
  },
  'Draft',
  () => testUuid(++uuids),
)
const names = (document: ScoreDocument) => partsIn(document).map(({ name }) => name)
const partOf = (index: number) => placeIn(score, 0, 0, 1, 1, index).part
const clarinet = findInstrumentByKey('woodwinds.clarinet')
const drums = findInstrumentByKey('unpitched-percussion.drumset-rock')
if (!clarinet || !drums) throw new Error('no instrument')

describe('a new part', () => {
  const added = {
    type: 'addPart',
    instrument: clarinet,
    uuid: testUuid(200),
    name: 'Clarinet',
    shortName: 'Cl.',
  } as const

  test('has the measures of the others, and the key that its player reads', () => {
    const changed = edited(
      score,
      { type: 'setTime', measure: measuresIn(score)[2]?.uuid ?? '', beats: 4, beatType: 4 },
      { type: 'setKey', measure: measuresIn(score)[3]?.uuid ?? '', fifths: -1 },
      { type: 'setBarline', measure: measuresIn(score)[1]?.uuid ?? '', style: 'light-light' },
    )
    const { document, changes } = edited(changed.document, { ...added, to: 1 })
    expect(names(document)).toEqual(['Violin', 'Clarinet', 'Cello', 'Piano'])
    expect(changes.isWhole).toBe(true)
    const part = partsOf(document)[1] as Element
    expect(measuresOf(part).map(({ uuid }) => uuid)).toEqual(measuresIn(score).map(({ uuid }) => uuid))
    const attributes = measuresOf(part).map((measure) => child(measure, 'attributes'))
    const fifths = attributes
      .map((one) => one && child(one, 'key'))
      .map((key) => key && childText(key, 'fifths'))
    expect(fifths.slice(0, 4)).toEqual(['3', undefined, undefined, '1'])
    expect([...editingFaults(document), ...orderFaults(document), ...voiceFaults(part, 3)]).toEqual([])
    expect(childrenNamed(measuresOf(part)[1] as Element, 'barline')).toHaveLength(1)
    expect(voiceText(document, 2, 1, 1, 1)).toBe('R')
  })

  test('of percussion has no key', () => {
    const { document } = edited(score, { ...added, instrument: drums, name: 'Drums' })
    const part = partsOf(document).at(-1) as Element
    expect(orderFaults(document)).toEqual([])
    expect(
      childrenNamed(measuresOf(part)[0] as Element, 'attributes').flatMap((one) => childrenNamed(one, 'key')),
    ).toEqual([])
  })

  test.each([{ uuid: 'x' }, { name: ' ' }, { to: 4 }, { uuid: partOf(0) }])('is refused with %o', (wrong) => {
    expect(applyOperation(score, { ...added, ...wrong })).toMatchObject({ reason: 'invalidValue' })
  })
})

test('parts change their order and names, and go with their entries', () => {
  const moved = edited(score, { type: 'movePart', part: partOf(2), to: 0 })
  expect(names(moved.document)).toEqual(['Piano', 'Violin', 'Cello'])
  const renamed = edited(moved.document, { type: 'renamePart', part: partOf(1), name: 'Bass', shortName: '' })
  expect(names(renamed.document)).toEqual(['Piano', 'Violin', 'Bass'])
  expect(orderFaults(renamed.document)).toEqual([])
  const fewer = edited(
    renamed.document,
    { type: 'removePart', part: partOf(0) },
    { type: 'removePart', part: partOf(2) },
  )
  expect(names(fewer.document)).toEqual(['Bass'])
  expect(child(fewer.document.root, 'part-list')?.children.map(({ name }) => name)).toEqual(['score-part'])
  expect(applyOperation(fewer.document, { type: 'removePart', part: partOf(1) })).toMatchObject({
    reason: 'lastPart',
  })
  expect(applyOperation(score, { type: 'movePart', part: partOf(1), to: 3 })).toMatchObject({
    reason: 'invalidValue',
  })
})

test('the title and the composer are written into the score', () => {
  const { document } = edited(score, { type: 'setCredits', title: 'Walk', composer: 'A. B.' })
  expect(creditsOf(document)).toMatchObject({ title: 'Walk', composer: 'A. B.' })
  expect(
    creditsOf(edited(document, { type: 'setCredits', composer: null }).document).composer,
  ).toBeUndefined()
})

test('a transposed score has other notes and another key', () => {
  const note = edited(score, {
    type: 'insertNote',
    at: placeIn(score, 0, 0),
    value: { type: 'quarter', dots: 0 },
    pitch: { step: 'F', alter: 1, octave: 4 },
  })
  const { document } = edited(note.document, { type: 'transposeScore', semitones: -2 })
  expect(voiceText(document, 0)).toBe('E4:quarter, r:half')
  const back = edited(document, { type: 'transposeScore', semitones: 2 })
  expect(voiceText(back.document, 0)).toBe('F#4:quarter, r:half')
  expect(applyOperation(score, { type: 'transposeScore', semitones: 25 })).toMatchObject({
    reason: 'invalidValue',
  })
})
