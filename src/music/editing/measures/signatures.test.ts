import { expect, test } from 'vitest'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../model/document.ts'
import { writeMusicXml } from '../../formats/musicxml/write.ts'
import { edited, identifiedScore, placeIn } from '../../testing/editing-score.ts'
import { note } from '../../testing/mini-score.ts'
import { applyOperation } from '../apply.ts'
import { measureIn } from '../reading.ts'

const time = '<time><beats>4</beats><beat-type>4</beat-type></time>'
const clarinet = '<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>'
const whole = (pitch: string, sign = '') => note(pitch, 4, `<voice>1</voice><type>whole</type>${sign}`)
const score = identifiedScore(
  [
    `<attributes><divisions>1</divisions><key><fifths>0</fifths></key>${time}</attributes>${whole('F4')}`,
    whole('F#4', '<accidental>sharp</accidental>'),
    `<attributes><key><fifths>-1</fifths></key></attributes>${whole('F4')}`,
  ],
  [
    `<attributes><divisions>1</divisions><key><fifths>2</fifths></key>${time}${clarinet}</attributes>${whole('G4')}`,
    whole('G4'),
    whole('G4'),
  ],
)

const notesOf = (document: ScoreDocument, part = 0): Element[] =>
  measuresOf(partsOf(document)[part] as Element).flatMap((measure) => childrenNamed(measure, 'note'))
const accidentalsOf = (document: ScoreDocument) =>
  notesOf(document).map((one) => childText(one, 'accidental'))
const fifthsIn = (document: ScoreDocument, part: number) =>
  measuresOf(partsOf(document)[part] as Element).map((measure) => {
    const key = childrenNamed(measure, 'attributes').flatMap((one) => child(one, 'key') ?? [])[0]
    return key && childText(key, 'fifths')
  })

test('a key signature holds for all parts as they read it, and for notes up to the next one', () => {
  const { measure } = placeIn(score, 0, 0)
  const { document, changes } = edited(score, { type: 'setKey', measure, fifths: 1, mode: 'major' })
  expect([fifthsIn(document, 0), fifthsIn(document, 1)]).toEqual([
    ['1', undefined, '-1'],
    ['3', undefined, undefined],
  ])
  expect(accidentalsOf(document)).toEqual(['natural', undefined, undefined])
  const places = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
    [2, 1],
  ].map(([at = 0, part]) => placeIn(score, at, 0, 1, 1, part))
  expect(changes.measures).toEqual(places.map(({ part, measure: one }) => ({ part, measure: one })))
  const back = edited(document, { type: 'setKey', measure, fifths: 0 })
  expect(accidentalsOf(back.document)).toEqual(accidentalsOf(score))
  expect(applyOperation(score, { type: 'setKey', measure, fifths: 8 })).toMatchObject({
    reason: 'invalidValue',
  })
})

test('a key signature of a later measure leaves the measures before', () => {
  const { measure } = placeIn(score, 1, 0)
  const { document } = edited(score, { type: 'setKey', measure, fifths: 1 })
  expect(fifthsIn(document, 0)).toEqual(['0', '1', '-1'])
  expect(accidentalsOf(document)).toEqual([undefined, undefined, undefined])
})

test('a clef holds from its time on', () => {
  const start = edited(score, { type: 'setClef', at: placeIn(score, 1, 0), clef: { sign: 'F', line: 4 } })
  const clefAt = (document: ScoreDocument, measure: number) => {
    const { part, measure: uuid } = placeIn(score, measure, 0)
    return measureIn(document, part, uuid)?.staves[0]?.clef.sign
  }
  expect([0, 1, 2].map((measure) => clefAt(start.document, measure))).toEqual(['G', 'F', 'F'])
  const inside = edited(score, {
    type: 'setClef',
    at: placeIn(score, 0, 2),
    clef: { sign: 'C', line: 3 },
  })
  expect([0, 1].map((measure) => clefAt(inside.document, measure))).toEqual(['G', 'C'])
  expect(writeMusicXml(inside.document)).toContain('<backup>')
  const wrong = { type: 'setClef', at: placeIn(score, 0, 0), clef: { sign: 'G', line: 6 } } as const
  expect(applyOperation(score, wrong)).toMatchObject({ reason: 'invalidValue' })
})
