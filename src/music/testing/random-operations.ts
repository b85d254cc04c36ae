import fc from 'fast-check'
import { copySelection } from '../editing/clipboard/copy.ts'
import type { Operation } from '../editing/operation.ts'
import type { Position } from '../editing/positions.ts'
import { eventsIn, measureIn, measuresIn, partsIn } from '../editing/reading.ts'
import { TICKS_PER_QUARTER } from '../editing/values.ts'
import type { ScoreDocument } from '../model/document.ts'
import { testUuid } from './editing-score.ts'

/** Numbers from which an operation is made for any score. */
export interface Choice {
  readonly kind: number
  readonly part: number
  readonly measure: number
  readonly voice: number
  readonly place: number
  readonly value: number
  readonly pitch: number
  readonly more: number
}

const any = fc.nat({ max: 1_000 })

export const choices: fc.Arbitrary<Choice> = fc.record({
  kind: any,
  part: any,
  measure: any,
  voice: any,
  place: any,
  value: any,
  pitch: any,
  more: any,
})

const pick = <Item>(items: readonly Item[], number: number): Item => items[number % items.length] as Item

const types = ['half', 'quarter', 'eighth', '16th', '32nd', 'whole'] as const
const steps = ['C', 'D', 'E', 'F', 'G', 'A', 'B'] as const

/** Makes an operation that is possible in a score, as far as its addresses go. */
export function operationFor(document: ScoreDocument, choice: Choice): Operation {
  const part = pick(partsIn(document), choice.part)
  const { uuid: measure } = pick(measuresIn(document), choice.measure)
  const staff = 1 + (choice.voice % part.staves)
  const voice = choice.voice % 7 === 0 ? 2 : 1
  const place = { part: part.uuid, measure, staff, voice }
  const events = eventsIn(document, place)
  const event = events.length > 0 ? pick(events, choice.place) : undefined
  const length = measureIn(document, part.uuid, measure)?.length ?? 0
  const beats = Math.max(1, Math.floor(length / TICKS_PER_QUARTER))
  const isOnBeat = choice.more % 5 === 0 || event === undefined
  const at: Position = isOnBeat
    ? { ...place, onset: (choice.place % beats) * TICKS_PER_QUARTER }
    : event.position
  const value = { type: pick(types, choice.value), dots: choice.value % 4 === 3 ? 1 : 0 }
  const pitch = {
    step: pick(steps, choice.pitch),
    alter: (choice.pitch % 3) - 1,
    octave: 4 + (choice.pitch % 2),
  }
  const notes = (event?.notes ?? []).map(({ id }) => id)
  const later = pick(measuresIn(document), choice.measure + (choice.more % 2)).uuid
  const others = eventsIn(document, { ...place, measure: later })
  const otherNotes = (others[choice.more % Math.max(1, others.length)]?.notes ?? []).map(({ id }) => id)
  const selection = {
    from: event?.position ?? at,
    to: others[choice.value % Math.max(1, others.length)]?.position ?? at,
  }
  const operations: Operation[] = [
    { type: 'insertNote', at, value, pitch },
    { type: 'insertNote', at, value, pitch },
    { type: 'insertRest', at, value },
    { type: 'addChordNote', at, pitch },
    { type: 'setValue', at, value },
    { type: 'setPitch', note: notes[0] ?? '', pitch },
    { type: 'moveNotes', notes, steps: (choice.pitch % 15) - 7 },
    { type: 'moveNotes', notes, semitones: (choice.pitch % 25) - 12 },
    { type: 'setAccidental', notes, alter: (choice.pitch % 5) - 2 },
    { type: 'toggleTie', notes },
    {
      type: 'makeTuplet',
      at,
      actual: pick([3, 5, 7, 2], choice.pitch),
      normal: pick([2, 4, 4, 3], choice.pitch),
    },
    { type: 'removeTuplet', at },
    { type: 'moveToVoice', notes, voice: 3 - voice },
    { type: 'toggleArticulation', notes, articulation: pick(['staccato', 'accent', 'tenuto'], choice.value) },
    { type: 'toggleFermata', notes },
    { type: 'toggleSlur', notes: [...notes, ...otherNotes] },
    {
      type: 'setLyric',
      at,
      verse: 1 + (choice.value % 2),
      text: pick(['la', ''], choice.more),
      syllabic: 'single',
    },
    { type: 'setDynamic', at, dynamic: pick(['p', 'ff', null], choice.more) },
    {
      type: 'setHairpin',
      from: at,
      to: others.at(-1)?.position ?? at,
      kind: pick(['crescendo', 'diminuendo', null], choice.more),
    },
    { type: 'setChordSymbol', at, text: pick(['Am7', 'F#/C', ''], choice.more) },
    { type: 'setText', at, text: pick(['dolce', ''], choice.more) },
    { type: 'setTempo', at, text: 'Allegro', perMinute: 60 + choice.value },
    { type: 'setRehearsalMark', measure, text: pick(['A', ''], choice.more) },
    { type: 'setKey', measure, fifths: (choice.pitch % 15) - 7 },
    {
      type: 'setClef',
      at,
      clef: pick(
        [
          { sign: 'F', line: 4 },
          { sign: 'G', line: 2, octaveChange: -1 },
        ],
        choice.more,
      ),
    },
    {
      type: 'insertMeasures',
      before: choice.more % 3 === 0 ? null : measure,
      uuids: [testUuid(1000 * choice.value + choice.pitch + 5000)],
    },
    { type: 'deleteMeasures', measures: [measure] },
    { type: 'setTime', measure, beats: 2 + (choice.value % 4), beatType: pick([4, 8], choice.more) },
    { type: 'movePart', part: part.uuid, to: choice.more % 2 },
    { type: 'setBarline', measure, style: pick(['dashed', 'regular', 'light-heavy'], choice.more) },
    { type: 'setRepeat', measure, side: pick(['start', 'end'], choice.value), isRepeat: choice.more % 3 > 0 },
    { type: 'setEnding', measures: [measure, later], numbers: pick(['1', '1, 2', null], choice.more) },
    { type: 'paste', at, clip: copySelection(document, selection) ?? { length: 0, voices: [] } },
    { type: 'clearSelection', selection },
    { type: 'deleteNotes', notes: choice.more % 2 === 0 ? notes : notes.slice(0, 1) },
  ]
  return pick(operations, choice.kind)
}
