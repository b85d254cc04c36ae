import { describe, expect, test } from 'vitest'
import { childrenNamed, type Element, measuresOf, partsOf, type ScoreDocument } from '../../model/document.ts'
import { edited, identifiedScore, placeIn, testUuid, voiceText } from '../../testing/editing-score.ts'
import { chordNote, graceNote, note, rest } from '../../testing/mini-score.ts'
import { buildScore } from '../../model/builder/builder.ts'
import { applyOperation } from '../apply.ts'
import type { Operation } from '../operation.ts'
import { eventsIn } from '../reading.ts'
import type { NoteType } from '../values.ts'

const signature =
  '<attributes><divisions>2</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>'
const quarter = (pitch: string, more = '') => note(pitch, 2, `<voice>1</voice><type>quarter</type>${more}`)
const empty = identifiedScore([signature + rest(8, '<voice>1</voice>'), rest(8, '<voice>1</voice>')])
const scale = identifiedScore([
  signature + quarter('C4') + quarter('D4') + quarter('E4') + quarter('F4'),
  rest(8, '<voice>1</voice>'),
])
const value = (type: NoteType, dots = 0) => ({ type, dots })
const c5 = { step: 'C', alter: 0, octave: 5 } as const

const notesIn = (document: ScoreDocument, measure: number): Element[] => {
  const [part] = partsOf(document)
  const element = part && measuresOf(part)[measure]
  return element ? childrenNamed(element, 'note') : []
}
const idsAt = (document: ScoreDocument, measure: number, quarters: number) =>
  eventsIn(document, placeIn(document, measure, quarters))
    .filter(({ position }) => position.onset === placeIn(document, measure, quarters).onset)
    .flatMap(({ notes }) => notes.map(({ id }) => id))

describe('a note', () => {
  test('takes its time from a rest, and leaves the other time as rests that show the beat', () => {
    const { document, caret, notes, changes } = edited(empty, {
      type: 'insertNote',
      at: placeIn(empty, 0, 1),
      value: value('eighth'),
      pitch: c5,
    })
    expect(voiceText(document, 0)).toBe('r:quarter, C5:eighth, r:eighth, r:half')
    expect(caret).toEqual(placeIn(empty, 0, 1.5))
    expect(notes).toEqual(idsAt(document, 0, 1))
    expect(changes).toEqual({
      measures: [{ part: placeIn(empty, 0, 0).part, measure: placeIn(empty, 0, 0).measure }],
      added: [],
      removed: [],
      isWhole: false,
    })
  })

  test('goes on in the next measure with a tie', () => {
    const at = placeIn(empty, 0, 3)
    const { document, notes, caret } = edited(empty, {
      type: 'insertNote',
      at,
      value: value('half', 1),
      pitch: c5,
    })
    expect([voiceText(document, 0), voiceText(document, 1)]).toEqual([
      'r:half, r:quarter, C5~:quarter',
      'C5:half, r:half',
    ])
    expect(notes).toEqual([...idsAt(document, 0, 3), ...idsAt(document, 1, 0)])
    expect(caret).toEqual(placeIn(empty, 1, 2))
  })

  test('is refused if it does not end in the score, and changes nothing', () => {
    const at = placeIn(empty, 1, 3)
    expect(applyOperation(empty, { type: 'insertNote', at, value: value('half'), pitch: c5 })).toEqual({
      isRefused: true,
      reason: 'endOfScore',
    })
  })

  test('has an accidental if the key and the notes before do not give it, and takes that of a later note', () => {
    const sharp = { step: 'F', alter: 1, octave: 4 } as const
    const at = placeIn(scale, 0, 1)
    const { document } = edited(scale, { type: 'insertNote', at, value: value('quarter'), pitch: sharp })
    const accidentals = notesIn(document, 0).map((one) =>
      childrenNamed(one, 'accidental').map(({ text }) => text),
    )
    expect(accidentals).toEqual([[], ['sharp'], [], ['natural']])
  })

  test('of a new voice comes with the rests that fill its measure', () => {
    const at = placeIn(scale, 0, 2, 2)
    const { document } = edited(scale, { type: 'insertNote', at, value: value('half'), pitch: c5 })
    expect(voiceText(document, 0)).toBe('C4:quarter, D4:quarter, E4:quarter, F4:quarter')
    expect(voiceText(document, 0, 2)).toBe('r:half, C5:half')
    expect(voiceText(document, 1, 2)).toBe('')
  })

  test('cuts off a note that began before it, with ties', () => {
    const long = identifiedScore([signature + note('C4', 8, '<voice>1</voice><type>whole</type>')])
    const { document } = edited(long, {
      type: 'insertNote',
      at: placeIn(long, 0, 2.5),
      value: value('quarter'),
      pitch: c5,
    })
    expect(voiceText(document, 0)).toBe('C4~:half, C4:eighth, C5:quarter, r:eighth')
  })

  test.each([
    ['pitchOutOfRange', { pitch: { step: 'C', alter: 3, octave: 4 } }],
    ['pitchOutOfRange', { pitch: { step: 'C', alter: 0, octave: 10 } }],
    ['invalidValue', { value: { type: 'quarter', dots: 4 } }],
    ['noSuchPosition', { at: placeIn(empty, 0, 4) }],
    ['noSuchPosition', { at: placeIn(empty, 0, 0, 5) }],
    ['noSuchPosition', { at: placeIn(empty, 0, 0, 1, 2) }],
    ['noSuchMeasure', { at: placeIn(empty, 7, 0) }],
    ['noSuchPart', { at: placeIn(empty, 0, 0, 1, 1, 3) }],
  ] as const)('is refused: %s for %o', (reason, wrong) => {
    const right = {
      type: 'insertNote',
      at: placeIn(empty, 0, 0),
      value: value('quarter'),
      pitch: c5,
    } as const
    expect(applyOperation(empty, { ...right, ...wrong })).toEqual({ isRefused: true, reason })
  })
})

describe('a rest', () => {
  test('replaces notes, and ends the ties to them', () => {
    const tied = identifiedScore([
      signature +
        note(
          'C4',
          4,
          '<tie type="start"/><voice>1</voice><type>half</type><notations><tied type="start"/></notations>',
        ) +
        note(
          'C4',
          4,
          '<tie type="stop"/><voice>1</voice><type>half</type><notations><tied type="stop"/></notations>',
        ),
    ])
    expect(voiceText(tied, 0)).toBe('C4~:half, C4:half')
    const { document } = edited(tied, {
      type: 'insertRest',
      at: placeIn(tied, 0, 2),
      value: value('quarter'),
    })
    expect(voiceText(document, 0)).toBe('C4:half, r:quarter, r:quarter')
    expect(childrenNamed(notesIn(document, 0)[0] as Element, 'notations')).toEqual([])
  })
})

describe('a chord', () => {
  test('gets notes from the lowest to the highest, each pitch once', () => {
    const at = placeIn(scale, 0, 1)
    const chord = edited(
      scale,
      { type: 'addChordNote', at, pitch: c5 },
      { type: 'addChordNote', at, pitch: { step: 'A', alter: 0, octave: 3 } },
    )
    expect(voiceText(chord.document, 0)).toBe('C4:quarter, A3+D4+C5:quarter, E4:quarter, F4:quarter')
    expect(notesIn(chord.document, 0).map((one) => one.children[0]?.name)).toEqual([
      'pitch',
      'pitch',
      'chord',
      'chord',
      'pitch',
      'pitch',
    ])
    expect(chord.notes).toEqual([idsAt(chord.document, 0, 1)[0]])
    expect(applyOperation(chord.document, { type: 'addChordNote', at, pitch: c5 })).toMatchObject({
      reason: 'alreadyThere',
    })
    expect(
      applyOperation(scale, { type: 'addChordNote', at: placeIn(scale, 1, 0), pitch: c5 }),
    ).toMatchObject({ reason: 'notANote' })
  })
})

describe('another value', () => {
  test('that is shorter leaves a rest, and one that is longer replaces what follows', () => {
    const at = placeIn(scale, 0, 1)
    const shorter = edited(scale, { type: 'setValue', at, value: value('eighth') })
    expect(voiceText(shorter.document, 0)).toBe('C4:quarter, D4:eighth, r:eighth, E4:quarter, F4:quarter')
    const longer = edited(scale, { type: 'setValue', at, value: value('quarter', 1) })
    expect(voiceText(longer.document, 0)).toBe('C4:quarter, D4:quarter., r:eighth, F4:quarter')
  })
})

test('an operation of another version is refused', () => {
  const unknown = { type: 'toString' } as unknown as Operation
  expect(applyOperation(empty, unknown)).toEqual({ isRefused: true, reason: 'unknownOperation' })
})

describe('deleted notes', () => {
  test('leave rests, and the only notes of a measure a rest of the whole measure', () => {
    const one = edited(scale, { type: 'deleteNotes', notes: idsAt(scale, 0, 1) })
    expect(voiceText(one.document, 0)).toBe('C4:quarter, r:quarter, E4:quarter, F4:quarter')
    const all = edited(scale, {
      type: 'deleteNotes',
      notes: [0, 1, 2, 3].flatMap((at) => idsAt(scale, 0, at)),
    })
    expect(voiceText(all.document, 0)).toBe('R')
  })

  test('go alone from a chord, whose signs stay', () => {
    const chord = identifiedScore([
      signature +
        note(
          'C4',
          8,
          '<voice>1</voice><type>whole</type><notations><fermata/></notations><lyric><text>ah</text></lyric>',
        ) +
        chordNote('E4', 8, '<voice>1</voice><type>whole</type>'),
    ])
    const { document } = edited(chord, { type: 'deleteNotes', notes: idsAt(chord, 0, 0).slice(0, 1) })
    expect(voiceText(document, 0)).toBe('E4:whole')
    expect(notesIn(document, 0)[0]?.children.map(({ name }) => name)).toEqual([
      'pitch',
      'duration',
      'voice',
      'type',
      'notations',
      'lyric',
    ])
  })

  test('of a beam leave the others under a beam of their own, also grace notes', () => {
    const grace = (type: string) => graceNote('C5', '', `<voice>1</voice><beam number="1">${type}</beam>`)
    const graces = identifiedScore([
      signature +
        grace('begin') +
        grace('continue') +
        grace('end') +
        note('C4', 8, '<voice>1</voice><type>whole</type>'),
    ])
    const [first] = eventsIn(graces, placeIn(graces, 0, 0))
    const { document } = edited(graces, {
      type: 'deleteNotes',
      notes: first?.notes.map(({ id }) => id) ?? [],
    })
    const beams = notesIn(document, 0).map((one) => childrenNamed(one, 'beam').map(({ text }) => text))
    expect(beams).toEqual([['begin'], ['end'], []])
  })

  test('of a second voice leave rests, and its rests go with the voice', () => {
    const at = placeIn(scale, 0, 2, 2)
    const second = edited(scale, { type: 'insertNote', at, value: value('half'), pitch: c5 })
    const silent = edited(second.document, { type: 'deleteNotes', notes: second.notes })
    expect(voiceText(silent.document, 0, 2)).toBe('R')
    const [voice] = eventsIn(silent.document, at)
    const gone = edited(silent.document, {
      type: 'deleteNotes',
      notes: voice?.notes.map(({ id }) => id) ?? [],
    })
    expect(voiceText(gone.document, 0, 2)).toBe('')
    expect(applyOperation(scale, { type: 'deleteNotes', notes: ['x'] })).toMatchObject({
      reason: 'noSuchNote',
    })
  })
})

test('notes of a new score need no other divisions', () => {
  let uuids = 0
  const instruments = [{ group: 'strings', instrument: 'violin' }]
  const score = buildScore({ scoreData: { instruments } }, 'Draft', () => testUuid(++uuids))
  const at = placeIn(score, 0, 0)
  const { document } = edited(
    score,
    { type: 'insertNote', at, value: value('16th'), pitch: c5 },
    { type: 'makeTuplet', at: placeIn(score, 0, 1), actual: 3, normal: 2, total: value('eighth') },
  )
  expect(voiceText(document, 0)).toContain('C5:16th, r:eighth., r:16th 3:2')
  const [first] = measuresOf(partsOf(document)[0] as Element)
  expect(first?.children.filter(({ name }) => name === 'attributes')).toHaveLength(1)
})
