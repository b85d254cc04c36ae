import { childrenNamed, type Element } from '../../model/document.ts'
import { leaf } from '../../model/element.ts'
import { type Interval, isUnison, transposedPitch } from '../../model/transposition/interval.ts'
import type { Event } from '../measure-model.ts'
import {
  isRestNote,
  mapNotations,
  notationsOf,
  type Pitch,
  pitchOfNote,
  tupletRatioOf,
  valueOfNote,
  withChildren,
  withoutTie,
  type WrittenVoice,
} from '../note-element.ts'
import { pitchFor } from '../notes/insert.ts'
import type { Outcome } from '../operation.ts'
import { overwrite, restsBetween, tiedEvents } from '../overwrite.ts'
import { findPosition, isRestEvent, type PartEditor, writtenVoice } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import { notesOfModel, spanners } from '../repair-spanners.ts'
import type { SelectedNotes, Session } from '../session.ts'
import { valuesBetween } from '../values.ts'
import type { Clip, ClipGroup } from './copy.ts'
import { findSelection, type Selection, stavesOf } from './selection.ts'

/** Puts copied music into the score, from a place on, in the place of what is there. Staves below the last one are left out. */
export interface Paste {
  readonly type: 'paste'
  readonly at: Position
  readonly clip: Clip
}

/** Replaces the notes of a selection by rests. */
export interface ClearSelection {
  readonly type: 'clearSelection'
  readonly selection: Selection
}

/** @throws Refusal `endOfScore` if the score is too short, `crossesBarline` for a tuplet over a bar line */
export function paste(session: Session, { at, clip }: Paste): Outcome {
  const found = findPosition(session, at)
  const staves = stavesOf(session)
  const row = staves.findIndex(({ editor, staff }) => editor === found.editor && staff === found.staff)
  const selected: SelectedNotes[] = []
  for (const voice of clip.voices) {
    const target = staves[row + voice.staff]
    if (target === undefined) continue
    const { editor, staff } = target
    const numbers = freeNumbers(editor, found, clip.length)
    for (const group of voice.groups) {
      const start = placeAfter(editor, found, group.from)
      const place = { editor, index: start.index, staff, voice: voice.voice, onset: start.onset }
      const { transpose } = editor.stateAt(start.index)
      const interval = {
        semitones: voice.transposition.semitones - (transpose?.chromatic ?? 0),
        steps: voice.transposition.steps - (transpose?.diatonic ?? 0),
      }
      const own = adapted(group, place, interval, numbers)
      for (const index of pasteGroup(place, group, own)) selected.push(index)
    }
  }
  if (selected.length === 0) refuse('nothingToPaste')
  return { notes: selected, caret: at }
}

interface PastePlace {
  readonly editor: PartEditor
  readonly index: number
  readonly staff: number
  readonly voice: number
  readonly onset: number
}

/** The place that is some ticks behind another one. */
function placeAfter(
  editor: PartEditor,
  from: { readonly index: number; readonly onset: number },
  ticks: number,
): { index: number; onset: number } {
  let { index } = from
  let onset = from.onset + ticks
  while (index < editor.measures.length && onset >= editor.meterAt(index).length) {
    onset -= editor.meterAt(index).length
    index += 1
  }
  return index < editor.measures.length ? { index, onset } : refuse('endOfScore')
}

/** The number of a slur or a similar sign in its new place. */
type NumberOf = (sign: Element) => string

/** Numbers for slurs that no slur in the measures has, into which the music is pasted. */
function freeNumbers(
  editor: PartEditor,
  from: { readonly index: number; readonly onset: number },
  length: number,
): NumberOf {
  const used = new Set<string>()
  let left = from.onset + length
  for (let index = from.index; index < editor.measures.length && left > 0; index++) {
    left -= editor.meterAt(index).length
    for (const { name, attributes } of notesOfModel(editor.modelAt(index)).flatMap(notationsOf))
      if (spanners.has(name)) used.add(attributes.number ?? '1')
  }
  const free = Array.from({ length: 16 }, (_, place) => String(place + 1)).filter(
    (number) => !used.has(number),
  )
  const given = new Map<string, string>()
  return ({ attributes: { number = '1' } }) => {
    const own = given.get(number) ?? free[given.size] ?? number
    given.set(number, own)
    return own
  }
}

/** The events of a group for their new place, from its beginning on. */
function adapted(group: ClipGroup, place: PastePlace, interval: Interval, numbers: NumberOf): Event[] {
  const written = writtenVoice(place.editor, place.staff, place.voice)
  return group.events.map(({ onset, ticks, isGrace, notes }) => ({
    onset: place.onset + onset,
    ticks,
    isGrace,
    notes: notes.map((note) =>
      mapNotations(adaptedNote(note, place, written, interval), (sign) =>
        spanners.has(sign.name)
          ? [{ ...sign, attributes: { ...sign.attributes, number: numbers(sign) } }]
          : [sign],
      ),
    ),
  }))
}

function adaptedNote(note: Element, place: PastePlace, written: WrittenVoice, interval: Interval): Element {
  const { voice, staff, hasStaves } = written
  const bare = ['stem', 'beam', 'accidental'].reduce((one, name) => withChildren(one, name, []), note)
  const voiced = withChildren(bare, 'voice', voice === undefined ? [] : [leaf('voice', voice)])
  const placed = withChildren(voiced, 'staff', hasStaves ? [leaf('staff', staff)] : [])
  const pitch = pitchOfNote(note)
  if (pitch === undefined || isRestNote(note)) return placed
  const moved = isUnison(interval) ? pitch : ({ ...transposedPitch(pitch, interval) } as Pitch)
  const kept = childrenNamed(placed, 'unpitched').length > 0 ? 'unpitched' : 'pitch'
  return withChildren(placed, kept, [pitchFor(place, moved)])
}

function pasteGroup(place: PastePlace, group: ClipGroup, events: readonly Event[]): SelectedNotes[] {
  const { editor, index, staff, voice, onset } = place
  const length = group.to - group.from
  const isInside = onset + length <= editor.meterAt(index).length
  const graces = events.filter(({ isGrace }) => isGrace)
  const main = events.find(({ isGrace }) => !isGrace)
  const selection = (at: number, time: number) => ({
    part: editor.uuid,
    index: at,
    staff,
    voice,
    onset: time,
  })
  if (group.isTuplet) {
    if (!isInside) refuse('crossesBarline')
    overwrite(editor, place, [onset, onset + length], events)
    return events.filter(({ isGrace }) => !isGrace).map((event) => selection(index, event.onset))
  }
  if (main === undefined) return []
  const [first] = main.notes
  const isWhole = isInside && main.ticks === length && first !== undefined && !tupletRatioOf(first)
  const value = first && valueOfNote(first)
  if (isWhole && value) {
    overwrite(editor, place, [onset, onset + length], [...graces, main])
    return [selection(index, onset)]
  }
  return pasteDivided(place, length, main, graces)
}

/** Pastes a note that is cut off, or goes on in the next measure, or a rest of a whole measure. */
function pasteDivided(
  place: PastePlace,
  length: number,
  main: Event,
  graces: readonly Event[],
): SelectedNotes[] {
  const { editor, staff, voice } = place
  const isRest = isRestEvent(main)
  const pieces: { index: number; from: number; to: number }[] = []
  let left = length
  for (let index = place.index, from = place.onset; left > 0; index++, from = 0) {
    if (index >= editor.measures.length) refuse('endOfScore')
    const to = Math.min(editor.meterAt(index).length, from + left)
    pieces.push({ index, from, to })
    left -= to - from
  }
  const values = pieces.flatMap(({ index, from, to }) =>
    valuesBetween(from, to, editor.meterAt(index), isRest).map((value) => ({ ...value, index })),
  )
  // What followed the note is not pasted with it.
  const notes = main.notes.map((note) => withoutTie(note, 'start'))
  const written = writtenVoice(editor, staff, voice)
  const events = isRest
    ? pieces.flatMap(({ index, from, to }) =>
        restsBetween(from, to, editor.meterAt(index), written).map((rest) => ({ ...rest, index })),
      )
    : tiedEvents(notes, values).map((event, number) => ({ ...event, index: values[number]?.index ?? 0 }))
  for (const [number, { index, from, to }] of pieces.entries()) {
    const own = events.filter((event) => event.index === index)
    overwrite(editor, { index, staff, voice }, [from, to], [...(number === 0 ? graces : []), ...own])
  }
  return events.map(({ index, onset }) => ({ part: editor.uuid, index, staff, voice, onset }))
}

export function clearSelection(session: Session, { selection }: ClearSelection): Outcome {
  const { staves, pieces } = findSelection(session, selection)
  for (const { editor, staff } of staves) {
    for (const { index, from, to } of pieces) {
      for (let voice = 1; voice <= editor.voicesOfStaff(staff).length; voice++) {
        const name = editor.voicesOfStaff(staff)[voice - 1]
        const isThere = editor
          .modelAt(index)
          .streams.some(
            (stream) => stream.voice === name && editor.staffOf(stream) === staff && stream.events.length > 0,
          )
        if (!isThere) continue
        const written = writtenVoice(editor, staff, voice)
        const end = Math.min(to, editor.meterAt(index).length)
        if (from >= end) continue
        overwrite(
          editor,
          { index, staff, voice },
          [from, end],
          restsBetween(from, end, editor.meterAt(index), written),
        )
      }
    }
  }
  return { notes: [], caret: selection.from }
}
