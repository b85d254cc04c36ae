import { expect, test } from 'vitest'
import { edited, identifiedScore, placeIn, voiceText } from '../../testing/editing-score.ts'
import { note, rest } from '../../testing/mini-score.ts'
import { applyOperation } from '../apply.ts'
import { copySelection } from './copy.ts'

const attributes = (more = '') =>
  `<attributes><divisions>2</divisions><time><beats>4</beats><beat-type>4</beat-type></time>${more}</attributes>`
const quarter = (pitch: string, more = '') => note(pitch, 2, `<voice>1</voice><type>quarter</type>${more}`)
const slur = (type: string) => `<notations><slur type="${type}" number="1"/></notations>`
const empty = rest(8, '<voice>1</voice>')
const clarinet = '<transpose><diatonic>-1</diatonic><chromatic>-2</chromatic></transpose>'
const score = identifiedScore(
  [
    attributes() +
      quarter('C4', slur('start')) +
      quarter('D4', slur('stop')) +
      quarter('E4', '<lyric><text>la</text></lyric>') +
      quarter('F4'),
    quarter('G4') + quarter('A4') + rest(4, '<voice>1</voice><type>half</type>'),
    empty,
  ],
  [attributes(clarinet) + empty, empty, empty],
)
const clipFrom = (from: readonly [number, number], to: readonly [number, number], part = 0) => {
  const clip = copySelection(score, {
    from: placeIn(score, ...from),
    to: placeIn(score, ...to, 1, 1, part),
  })
  if (clip === undefined) throw new Error('nothing was copied')
  // A clipboard of the browser keeps text.
  return JSON.parse(JSON.stringify(clip)) as typeof clip
}

test('copied notes replace what is there, over bar lines, with their signs', () => {
  const clip = clipFrom([0, 0], [0, 3])
  const { document, notes } = edited(score, { type: 'paste', at: placeIn(score, 1, 2), clip })
  expect([1, 2].map((measure) => voiceText(document, measure))).toEqual([
    'G4:quarter, A4:quarter, C4:quarter, D4:quarter',
    'E4:quarter, F4:quarter, r:half',
  ])
  expect(notes).toHaveLength(4)
  const again = copySelection(document, { from: placeIn(document, 1, 2), to: placeIn(document, 2, 1) })
  const names = again?.voices[0]?.groups.map(({ events }) =>
    events[0]?.notes[0]?.children.map(({ name }) => name),
  )
  expect(names?.map((children) => children?.includes('notations'))).toEqual([true, true, false, false])
  expect(names?.[2]).toContain('lyric')
})

test('a note that does not fit into the measure is divided', () => {
  const at = placeIn(score, 1, 2.5)
  const { document } = edited(score, { type: 'paste', at, clip: clipFrom([1, 0], [1, 1]) })
  expect([1, 2].map((measure) => voiceText(document, measure))).toEqual([
    'G4:quarter, A4:quarter, r:eighth, G4:quarter, A4~:eighth',
    'A4:eighth, r:eighth, r:quarter, r:half',
  ])
})

test('a slur with one end in the selection is not copied', () => {
  const clip = clipFrom([0, 1], [0, 2])
  const { document } = edited(score, { type: 'paste', at: placeIn(score, 2, 0), clip })
  expect(voiceText(document, 2)).toBe('D4:quarter, E4:quarter, r:half')
  const { document: same } = edited(score, {
    type: 'paste',
    at: placeIn(score, 2, 0),
    clip: clipFrom([0, 0], [0, 1]),
  })
  expect(voiceText(same, 0)).toBe(voiceText(score, 0))
})

test('a transposing instrument gets the notes that sound the same', () => {
  const { document } = edited(score, {
    type: 'paste',
    at: placeIn(score, 0, 0, 1, 1, 1),
    clip: clipFrom([0, 0], [0, 1]),
  })
  expect(voiceText(document, 0, 1, 1, 1)).toBe('D4:quarter, E4:quarter, r:half')
})

test('several staves keep their distance, and those below the score are left out', () => {
  const clip = clipFrom([0, 0], [0, 0], 1)
  expect(clip.voices.map(({ staff }) => staff)).toEqual([0, 1])
  const { document } = edited(score, { type: 'paste', at: placeIn(score, 1, 0, 1, 1, 1), clip })
  expect(voiceText(document, 1, 1, 1, 1)).toBe('D4:quarter, E4:quarter, F#4:quarter, G4:quarter')
})

test('a paste behind the end of the score is refused', () => {
  const operation = { type: 'paste', at: placeIn(score, 2, 2), clip: clipFrom([0, 0], [0, 3]) } as const
  expect(applyOperation(score, operation)).toEqual({ isRefused: true, reason: 'endOfScore' })
})

test('a selection that is cleared leaves rests, also over bar lines', () => {
  const selection = { from: placeIn(score, 0, 2), to: placeIn(score, 1, 0) }
  const { document } = edited(score, { type: 'clearSelection', selection })
  expect([0, 1].map((measure) => voiceText(document, measure))).toEqual([
    'C4:quarter, D4:quarter, r:half',
    'r:quarter, A4:quarter, r:half',
  ])
})
