import { describe, expect, test } from 'vitest'
import { writeMusicXml } from '../../formats/musicxml/write.ts'
import { type Element, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { edited, identifiedScore, placeIn, voiceText } from '../../testing/editing-score.ts'
import { note, rest } from '../../testing/mini-score.ts'
import { voiceFaults } from '../../testing/voices.ts'
import { applyOperation } from '../apply.ts'

const attributes =
  '<attributes><divisions>2</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>'
const final = '<barline location="right"><bar-style>light-heavy</bar-style></barline>'
const empty = rest(8, '<voice>1</voice>')
const score = identifiedScore(
  [
    `${attributes}${note('C4', 4, '<voice>1</voice><type>half</type>')}${rest(4, '<voice>1</voice><type>half</type>')}`,
    empty,
    `${empty}${final}`,
  ],
  [attributes + empty, empty, `${empty}${final}`],
)
const uuidAt = (measure: number): string => placeIn(score, measure, 0).measure

/** The bar lines of a measure in the second part: `left heavy-light, repeat forward`. */
function barlines(document: ScoreDocument, measure: number): string[] {
  const element = measuresOf(partsOf(document)[1] as Element)[measure]
  return (element?.children ?? []).flatMap(({ name, attributes: { location }, children }) => {
    if (name !== 'barline') return []
    const signs = children.map((one) =>
      [
        one.name === 'bar-style' ? '' : one.name,
        one.attributes.type,
        one.attributes.direction,
        one.attributes.times,
        one.text,
      ]
        .filter(Boolean)
        .join(' '),
    )
    return [`${location} ${signs.join(', ')}`]
  })
}

describe('bar lines', () => {
  test('have a style in all parts', () => {
    const double = edited(score, { type: 'setBarline', measure: uuidAt(0), style: 'light-light' })
    expect(barlines(double.document, 0)).toEqual(['right light-light'])
    const back = edited(double.document, { type: 'setBarline', measure: uuidAt(0), style: 'regular' })
    expect(writeMusicXml(back.document)).toBe(writeMusicXml(score))
  })

  test('repeat, and end the piece again without the repeat', () => {
    const { document } = edited(
      score,
      { type: 'setRepeat', measure: uuidAt(1), side: 'start', isRepeat: true },
      { type: 'setRepeat', measure: uuidAt(2), side: 'end', isRepeat: true, times: 3 },
    )
    expect([barlines(document, 1), barlines(document, 2)]).toEqual([
      ['left heavy-light, repeat forward'],
      ['right light-heavy, repeat backward 3'],
    ])
    const back = edited(
      document,
      { type: 'setRepeat', measure: uuidAt(1), side: 'start', isRepeat: false },
      { type: 'setRepeat', measure: uuidAt(2), side: 'end', isRepeat: false },
    )
    expect(writeMusicXml(back.document)).toBe(writeMusicXml(score))
  })

  test('have endings, which replace each other', () => {
    const { document } = edited(
      score,
      { type: 'setRepeat', measure: uuidAt(1), side: 'end', isRepeat: true },
      { type: 'setEnding', measures: [uuidAt(1), uuidAt(0)], numbers: '1, 2' },
      { type: 'setEnding', measures: [uuidAt(2)], numbers: '3' },
    )
    expect([0, 1, 2].map((measure) => barlines(document, measure))).toEqual([
      ['left ending start 1., 2.'],
      ['right light-heavy, ending stop, repeat backward'],
      ['left ending start 3.', 'right light-heavy, ending discontinue'],
    ])
    const none = edited(
      document,
      { type: 'setEnding', measures: [uuidAt(0), uuidAt(2)], numbers: null },
      { type: 'setRepeat', measure: uuidAt(1), side: 'end', isRepeat: false },
    )
    expect(writeMusicXml(none.document)).toBe(writeMusicXml(score))
    const wrong = { type: 'setEnding', measures: [uuidAt(0)], numbers: 'x' } as const
    expect(applyOperation(score, wrong)).toMatchObject({ reason: 'invalidValue' })
  })
})

describe('a time signature', () => {
  test('adds rests to the ends of measures, and takes them away', () => {
    const longer = edited(score, { type: 'setTime', measure: uuidAt(0), beats: 5, beatType: 4 })
    expect([voiceText(longer.document, 0), voiceText(longer.document, 1)]).toEqual([
      'C4:half, r:half, r:quarter',
      'R',
    ])
    for (const part of partsOf(longer.document)) expect(voiceFaults(part, 5)).toEqual([])
    const shorter = edited(longer.document, { type: 'setTime', measure: uuidAt(0), beats: 3, beatType: 4 })
    expect(voiceText(shorter.document, 0)).toBe('C4:half, r:quarter')
    for (const part of partsOf(shorter.document)) expect(voiceFaults(part, 3)).toEqual([])
  })

  test('holds up to the next one, and does not cut notes off', () => {
    const later = edited(
      score,
      { type: 'setTime', measure: uuidAt(1), beats: 3, beatType: 4 },
      { type: 'setTime', measure: uuidAt(0), beats: 2, beatType: 2 },
    )
    for (const part of partsOf(later.document)) expect(voiceFaults(part, 4)).toEqual([])
    expect(applyOperation(score, { type: 'setTime', measure: uuidAt(0), beats: 3, beatType: 8 })).toEqual({
      isRefused: true,
      reason: 'notesWouldBeLost',
    })
    expect(
      applyOperation(score, { type: 'setTime', measure: uuidAt(0), beats: 3, beatType: 3 }),
    ).toMatchObject({
      reason: 'invalidValue',
    })
  })
})
