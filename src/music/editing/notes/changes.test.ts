import { describe, expect, test } from 'vitest'
import { childrenNamed, type Element, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { edited, identifiedScore, placeIn, voiceText } from '../../testing/editing-score.ts'
import { note, rest } from '../../testing/mini-score.ts'
import { applyOperation } from '../apply.ts'
import { notationsOf } from '../note-element.ts'
import { eventAt } from '../reading.ts'

const signature =
  '<attributes><divisions>2</divisions><key><fifths>2</fifths></key><time><beats>4</beats><beat-type>4</beat-type></time></attributes>'
const quarter = (pitch: string, more = '') => note(pitch, 2, `<voice>1</voice><type>quarter</type>${more}`)
const score = identifiedScore([
  signature + quarter('D4') + quarter('E4') + quarter('F#4') + quarter('F#4'),
  quarter('F#4') + quarter('G4') + rest(4, '<voice>1</voice><type>half</type>'),
])

const idsAt = (document: ScoreDocument, measure: number, quarters: number): string[] =>
  eventAt(document, placeIn(document, measure, quarters))?.notes.map(({ id }) => id) ?? []
const notesIn = (document: ScoreDocument, measure: number): Element[] => {
  const [part] = partsOf(document)
  const element = part && measuresOf(part)[measure]
  return element ? childrenNamed(element, 'note') : []
}
const signsIn = (document: ScoreDocument, measure: number): string[] =>
  notesIn(document, measure).map((one) =>
    notationsOf(one)
      .flatMap(({ name, attributes, children }) =>
        name === 'articulations' ? children.map((inner) => inner.name) : [`${name} ${attributes.type ?? ''}`],
      )
      .join(),
  )

describe('another pitch', () => {
  test('of steps follows the key signature', () => {
    const { document } = edited(score, { type: 'moveNotes', notes: idsAt(score, 0, 1), steps: 1 })
    expect(voiceText(document, 0)).toBe('D4:quarter, F#4:quarter, F#4:quarter, F#4:quarter')
  })

  test.each([
    [1, 'D#4'],
    [-1, 'C#4'],
    [2, 'E4'],
    [12, 'D5'],
    [-3, 'B3'],
    [3, 'F4'],
  ])('of %i semitones is a note of the key, or altered in the direction of the move', (semitones, pitch) => {
    const { document, notes } = edited(score, { type: 'moveNotes', notes: idsAt(score, 0, 0), semitones })
    expect(voiceText(document, 0)).toBe(`${pitch}:quarter, E4:quarter, F#4:quarter, F#4:quarter`)
    expect(notes).toEqual(idsAt(document, 0, 0))
  })

  test('holds for the notes that are tied to the note, and for its accidentals', () => {
    const tied = edited(
      score,
      { type: 'toggleTie', notes: idsAt(score, 0, 3) },
      { type: 'setAccidental', notes: idsAt(score, 0, 3), alter: 0 },
    )
    expect([voiceText(tied.document, 0), voiceText(tied.document, 1)]).toEqual([
      'D4:quarter, E4:quarter, F#4:quarter, F4~:quarter',
      'F4:quarter, G4:quarter, r:half',
    ])
    const accidentals = [...notesIn(tied.document, 0), ...notesIn(tied.document, 1)].flatMap((one) =>
      childrenNamed(one, 'accidental').map(({ text }) => text),
    )
    expect(accidentals).toEqual(['natural'])
    const set = edited(tied.document, {
      type: 'setPitch',
      note: idsAt(tied.document, 1, 0)[0] ?? '',
      pitch: { step: 'A', alter: 0, octave: 4 },
    })
    expect(voiceText(set.document, 0)).toBe('D4:quarter, E4:quarter, F#4:quarter, A4~:quarter')
    expect(voiceText(set.document, 1)).toBe('A4:quarter, G4:quarter, r:half')
  })
})

describe('a tie', () => {
  test('reaches over the bar line, and goes with both ends', () => {
    const tied = edited(score, { type: 'toggleTie', notes: idsAt(score, 0, 3) })
    expect(voiceText(tied.document, 0)).toContain('F#4~:quarter')
    expect(tied.changes.measures).toHaveLength(2)
    const again = edited(tied.document, { type: 'toggleTie', notes: idsAt(tied.document, 0, 3) })
    expect(signsIn(again.document, 0)).toEqual(['', '', '', ''])
    expect(signsIn(again.document, 1)).toEqual(['', '', ''])
  })

  test('needs a next note of its pitch', () => {
    expect(applyOperation(score, { type: 'toggleTie', notes: idsAt(score, 0, 0) })).toMatchObject({
      reason: 'noNextNote',
    })
    expect(applyOperation(score, { type: 'toggleTie', notes: idsAt(score, 1, 2) })).toMatchObject({
      reason: 'notANote',
    })
  })
})

describe('a tuplet', () => {
  const made = edited(score, { type: 'makeTuplet', at: placeIn(score, 0, 1), actual: 3, normal: 2 })

  test('takes the time of a note, and can be filled', () => {
    expect(voiceText(made.document, 0)).toBe(
      'D4:quarter, E4:eighth 3:2, r:eighth 3:2, r:eighth 3:2, F#4:quarter, F#4:quarter',
    )
    expect(signsIn(made.document, 0)).toEqual(['', 'tuplet start', '', 'tuplet stop', '', ''])
    const filled = edited(made.document, {
      type: 'insertNote',
      at: placeIn(made.document, 0, 4 / 3),
      value: { type: 'quarter', dots: 0 },
      pitch: { step: 'A', alter: 0, octave: 4 },
    })
    expect(voiceText(filled.document, 0)).toContain('E4:eighth 3:2, A4:quarter 3:2, F#4:quarter')
    expect(signsIn(filled.document, 0)).toEqual(['', 'tuplet start', 'tuplet stop', '', ''])
  })

  test('takes the beginning of an empty measure, and stays when it has lost its notes', () => {
    const empty = identifiedScore([signature + rest(8, '<voice>1</voice>')])
    const at = placeIn(empty, 0, 0)
    const total = { type: 'quarter', dots: 0 } as const
    const rests = 'r:eighth 3:2, r:eighth 3:2, r:eighth 3:2, r:quarter, r:half'
    const waiting = edited(empty, { type: 'makeTuplet', at, actual: 3, normal: 2, total })
    expect(voiceText(waiting.document, 0)).toBe(rests)
    const pitch = { step: 'A', alter: 0, octave: 4 } as const
    const value = { type: 'eighth', dots: 0 } as const
    const written = edited(waiting.document, { type: 'insertNote', at, value, pitch })
    const notes = idsAt(written.document, 0, 0)
    expect(voiceText(edited(written.document, { type: 'deleteNotes', notes }).document, 0)).toBe(rests)
    const removed = edited(waiting.document, { type: 'removeTuplet', at })
    expect(voiceText(removed.document, 0)).toBe('R')
  })

  test('does not take what is longer than its rest, and none in it', () => {
    const at = placeIn(made.document, 0, 5 / 3)
    expect(
      applyOperation(made.document, { type: 'insertRest', at, value: { type: 'quarter', dots: 0 } }),
    ).toMatchObject({ reason: 'tooLongForTuplet' })
    expect(applyOperation(made.document, { type: 'makeTuplet', at, actual: 3, normal: 2 })).toMatchObject({
      reason: 'insideTuplet',
    })
    const dotted = { type: 'makeTuplet', at: placeIn(score, 0, 0), actual: 3, normal: 3 } as const
    expect(applyOperation(score, dotted)).toMatchObject({ reason: 'invalidValue' })
  })

  test('is removed for its first note', () => {
    const removed = edited(made.document, { type: 'removeTuplet', at: placeIn(made.document, 0, 4 / 3) })
    expect(voiceText(removed.document, 0)).toBe(voiceText(score, 0))
    expect(applyOperation(score, { type: 'removeTuplet', at: placeIn(score, 0, 0) })).toMatchObject({
      reason: 'noTuplet',
    })
  })
})

test('a note that moves to another voice leaves a rest, and the other voice is filled', () => {
  const { document, notes } = edited(score, { type: 'moveToVoice', notes: idsAt(score, 0, 1), voice: 2 })
  expect(voiceText(document, 0)).toBe('D4:quarter, r:quarter, F#4:quarter, F#4:quarter')
  expect(voiceText(document, 0, 2)).toBe('r:quarter, E4:quarter, r:half')
  expect(notes).toEqual(eventAt(document, placeIn(document, 0, 1, 2))?.notes.map(({ id }) => id))
})

test('articulations and fermatas are added, unless all notes have them', () => {
  const one = edited(score, {
    type: 'toggleArticulation',
    notes: idsAt(score, 0, 0),
    articulation: 'staccato',
  })
  const two = edited(
    one.document,
    { type: 'toggleArticulation', notes: idsAt(one.document, 0, 0), articulation: 'accent' },
    { type: 'toggleFermata', notes: idsAt(one.document, 1, 2) },
    {
      type: 'toggleArticulation',
      notes: [0, 1].flatMap((at) => idsAt(one.document, 0, at)),
      articulation: 'staccato',
    },
  )
  expect(signsIn(two.document, 0)).toEqual(['staccato,accent', 'staccato', '', ''])
  expect(signsIn(two.document, 1)).toEqual(['', '', 'fermata upright'])
  const none = edited(two.document, {
    type: 'toggleArticulation',
    notes: [0, 1].flatMap((at) => idsAt(two.document, 0, at)),
    articulation: 'staccato',
  })
  expect(signsIn(none.document, 0)).toEqual(['accent', '', '', ''])
  const wrong = {
    type: 'toggleArticulation',
    notes: idsAt(score, 0, 0),
    articulation: 'x' as 'accent',
  } as const
  expect(applyOperation(score, wrong)).toMatchObject({ reason: 'invalidValue' })
})

test('a slur has a number of its own, stays with another pitch, and goes when one of its ends is deleted', () => {
  const notes = [...idsAt(score, 0, 0), ...idsAt(score, 1, 1)]
  const outer = edited(score, { type: 'toggleSlur', notes })
  const both = edited(outer.document, { type: 'toggleSlur', notes: idsAt(outer.document, 0, 1) })
  const numbers = (document: ScoreDocument) =>
    [0, 1].flatMap((measure) =>
      notesIn(document, measure).flatMap((one) =>
        notationsOf(one).map(({ attributes }) => `${attributes.type} ${attributes.number}`),
      ),
    )
  expect(numbers(both.document)).toEqual(['start 1', 'start 2', 'stop 2', 'stop 1'])
  expect(
    numbers(edited(both.document, { type: 'deleteNotes', notes: idsAt(both.document, 1, 1) }).document),
  ).toEqual(['start 2', 'stop 2'])
  const retyped = edited(both.document, {
    type: 'insertNote',
    at: placeIn(both.document, 0, 0),
    value: { type: 'quarter', dots: 0 },
    pitch: { step: 'A', alter: 0, octave: 4 },
  })
  expect(numbers(retyped.document)).toEqual(['start 1', 'start 2', 'stop 2', 'stop 1'])
  expect(numbers(edited(both.document, { type: 'toggleSlur', notes }).document)).toEqual([
    'start 2',
    'stop 2',
  ])
})
