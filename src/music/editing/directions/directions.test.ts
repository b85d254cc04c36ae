import { describe, expect, test } from 'vitest'
import { chordSymbolOf } from '../../model/chord-symbol.ts'
import { child, type Element, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { writeMusicXml } from '../../formats/musicxml/write.ts'
import { edited, identifiedScore, placeIn } from '../../testing/editing-score.ts'
import { note, rest } from '../../testing/mini-score.ts'
import { applyOperation } from '../apply.ts'
import { directionTypesOf } from './marks.ts'

const signature =
  '<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>'
const half = (pitch: string) => note(pitch, 2, '<voice>1</voice><type>half</type>')
const score = identifiedScore(
  [signature + half('C4') + half('D4'), half('E4') + half('F4')],
  [signature + rest(4, '<voice>1</voice>'), rest(4, '<voice>1</voice>')],
)

/** The names of the children of a measure, with the contents of directions. */
function layout(document: ScoreDocument, measure: number, part = 0): string[] {
  const element = measuresOf(partsOf(document)[part] as Element)[measure]
  return (element?.children ?? []).map((one) => {
    const types = directionTypesOf(one).map(({ name, attributes, children, text }) =>
      [name, attributes.type, ...children.map((inner) => inner.name), text].filter(Boolean).join(' '),
    )
    return types.length > 0 ? types.join(', ') : one.name === 'harmony' ? chordSymbolOf(one) : one.name
  })
}

test('a dynamic mark stands before the note at its time, one at a time', () => {
  const at = placeIn(score, 0, 2)
  const piano = edited(score, { type: 'setDynamic', at, dynamic: 'p' })
  expect(layout(piano.document, 0)).toEqual(['attributes', 'note', 'dynamics p', 'note'])
  expect(layout(edited(piano.document, { type: 'setDynamic', at, dynamic: 'sfz' }).document, 0)[2]).toBe(
    'dynamics sfz',
  )
  const none = edited(piano.document, { type: 'setDynamic', at, dynamic: null })
  expect(writeMusicXml(none.document)).toBe(writeMusicXml(score))
  expect(applyOperation(score, { type: 'setDynamic', at, dynamic: 'loud' })).toMatchObject({
    reason: 'invalidValue',
  })
})

test('a mark inside of a note is written at its time', () => {
  const { document } = edited(score, { type: 'setDynamic', at: placeIn(score, 0, 1), dynamic: 'p' })
  expect(layout(document, 0)).toEqual(['attributes', 'note', 'backup', 'dynamics p', 'forward', 'note'])
})

describe('a hairpin', () => {
  const from = placeIn(score, 0, 2)
  const to = placeIn(score, 1, 0)
  const made = edited(score, { type: 'setHairpin', from, to, kind: 'crescendo' })

  test('reaches from the first note to the end of the last one', () => {
    expect(layout(made.document, 0)).toEqual(['attributes', 'note', 'wedge crescendo', 'note'])
    expect(layout(made.document, 1)).toEqual(['note', 'wedge stop', 'note'])
  })

  test('replaces another one that begins there, and goes with both ends', () => {
    const other = edited(made.document, {
      type: 'setHairpin',
      from,
      to: placeIn(score, 1, 2),
      kind: 'diminuendo',
    })
    expect(layout(other.document, 0)).toEqual(['attributes', 'note', 'wedge diminuendo', 'note'])
    expect(layout(other.document, 1)).toEqual(['note', 'note', 'wedge stop'])
    const none = edited(other.document, { type: 'setHairpin', from, to, kind: null })
    expect(writeMusicXml(none.document)).toBe(writeMusicXml(score))
  })

  test('does not end before it begins', () => {
    expect(
      applyOperation(score, { type: 'setHairpin', from: to, to: from, kind: 'crescendo' }),
    ).toMatchObject({
      reason: 'noSuchPosition',
    })
  })
})

test('texts, tempos and rehearsal marks replace those of their kind only', () => {
  const at = placeIn(score, 1, 0)
  const inSecondPart = placeIn(score, 1, 0, 1, 1, 1)
  const { document } = edited(
    score,
    { type: 'setText', at, text: 'dolce' },
    {
      type: 'setTempo',
      at: inSecondPart,
      text: 'Lento',
      perMinute: 60,
      beatUnit: { type: 'eighth', dots: 1 },
    },
    { type: 'setRehearsalMark', measure: at.measure, text: 'B' },
    { type: 'setText', at, text: 'cantabile' },
    { type: 'setTempo', at, text: 'Largo', perMinute: 40, beatUnit: { type: 'half', dots: 0 } },
  )
  expect(layout(document, 1)).toEqual([
    'words cantabile',
    'words Largo, metronome beat-unit per-minute',
    'rehearsal B',
    'note',
    'note',
  ])
  const tempo = measuresOf(partsOf(document)[0] as Element)[1]?.children[1]
  expect(child(tempo as Element, 'sound')?.attributes.tempo).toBe('80')
  const none = edited(
    document,
    { type: 'setText', at, text: '' },
    { type: 'setTempo', at },
    { type: 'setRehearsalMark', measure: at.measure, text: ' ' },
  )
  expect(writeMusicXml(none.document)).toBe(writeMusicXml(score))
  expect(applyOperation(score, { type: 'setTempo', at, perMinute: 0 })).toMatchObject({
    reason: 'invalidValue',
  })
})

test.each([
  ['Am7', 'Am7', 'minor-seventh'],
  ['Bb', 'B♭', 'major'],
  ['f#m7b5/c', 'F♯m7b5/C', 'half-diminished'],
  ['C6/9', 'C6/9', 'other'],
  ['Gsus', 'Gsus', 'suspended-fourth'],
  ['E♭maj7/B♭', 'E♭maj7/B♭', 'major-seventh'],
  ['NC', 'N.C.', 'none'],
])('the chord symbol %s is written as %s', (text, written, kind) => {
  const { document } = edited(score, { type: 'setChordSymbol', at: placeIn(score, 0, 0), text })
  expect(layout(document, 0)).toEqual(['attributes', written, 'note', 'note'])
  const harmony = measuresOf(partsOf(document)[0] as Element)[0]?.children[1]
  expect(child(harmony as Element, 'kind')?.text).toBe(kind)
})

test('a text that is no chord symbol is refused', () => {
  const at = placeIn(score, 0, 0)
  expect(applyOperation(score, { type: 'setChordSymbol', at, text: 'H7' })).toMatchObject({
    reason: 'noChordSymbol',
  })
})

test('lyrics of verses stand below each other, at notes only', () => {
  const at = placeIn(score, 0, 0)
  const lyric = { type: 'setLyric', at, syllabic: 'begin' } as const
  const { document } = edited(
    score,
    { ...lyric, verse: 2, text: 'zwei' },
    { ...lyric, verse: 1, text: 'eins', isHeld: true },
    { ...lyric, verse: 2, text: 'two' },
  )
  const lyrics = (of: ScoreDocument) =>
    (measuresOf(partsOf(of)[0] as Element)[0]?.children ?? []).flatMap((one) =>
      one.children.flatMap(({ name, attributes, children }) =>
        name === 'lyric'
          ? [`${attributes.number} ${children.map((inner) => inner.text || inner.name).join(' ')}`]
          : [],
      ),
    )
  expect(lyrics(document)).toEqual(['1 begin eins extend', '2 begin two'])
  expect(lyrics(edited(document, { ...lyric, verse: 1, text: '' }).document)).toEqual(['2 begin two'])
  const onRest = { ...lyric, at: placeIn(score, 0, 0, 1, 1, 1), verse: 1, text: 'x' }
  expect(applyOperation(score, onRest)).toMatchObject({ reason: 'notANote' })
  expect(applyOperation(score, { ...lyric, verse: 0, text: 'x' })).toMatchObject({ reason: 'invalidValue' })
})
