import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import { mapNotations, notationsOf, withNotation } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { isRestEvent, type PartEditor, streamPlace, voiceOfStream } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import { notesOfModel } from '../repair-spanners.ts'
import type { Session } from '../session.ts'
import { type EventPlace, eventOf, findNotes, replaceEvent, selectionOf } from './found-notes.ts'

/** Draws a slur from the first to the last of some notes of a part, or from one to the next note. A slur between them is removed. */
export interface ToggleSlur {
  readonly type: 'toggleSlur'
  readonly notes: readonly string[]
}

/** Numbers of slurs that are open at the same time (MusicXML 4.0, `number-level`). */
const mostSlurs = 16

/** @throws Refusal `noNextNote`, `notInOnePart`, `tooManySigns` */
export function toggleSlur(session: Session, { notes }: ToggleSlur): Outcome {
  const found = [...findNotes(session, notes)]
  const [[editor, inPart] = refuse('noSuchNote')] = found
  if (found.length > 1) refuse('notInOnePart')
  const onsetOf = (place: EventPlace) => eventOf(editor, place)?.onset ?? 0
  const chords = inPart
    .filter((place) =>
      eventOf(editor, place)?.notes.some((note) => !note.children.some(({ name }) => name === 'rest')),
    )
    .sort((a, b) => a.index - b.index || onsetOf(a) - onsetOf(b) || a.event - b.event)
  const first = chords[0] ?? refuse('notANote')
  const lastChosen = chords.at(-1) ?? first
  const isOne =
    lastChosen.index === first.index && lastChosen.stream === first.stream && lastChosen.event === first.event
  const last = isOne ? (nextChord(editor, first) ?? refuse('noNextNote')) : lastChosen
  const present = slurBetween(editor, first, last)
  if (present) {
    changeFirst(editor, first, (note) => without(note, present.start))
    changeFirst(editor, last, (note) => without(note, present.stop))
  } else {
    const number = String(freeNumber(editor, first.index, last.index))
    changeFirst(editor, first, (note) => withNotation(note, node('slur', [], { type: 'start', number })))
    changeFirst(editor, last, (note) => withNotation(note, node('slur', [], { type: 'stop', number })))
  }
  return { notes: [selectionOf(editor, first), selectionOf(editor, last)] }
}

/** Changes all notes of a chord for a removal, and the first one to add something. */
function changeFirst(editor: PartEditor, place: EventPlace, change: (note: Element) => Element): void {
  const event = eventOf(editor, place)
  if (event === undefined) return
  replaceEvent(editor, place, {
    ...event,
    notes: event.notes.map((note, index) => (index === 0 ? change(note) : note)),
  })
}

const without = (note: Element, sign: Element): Element =>
  mapNotations(note, (one) => (one === sign ? [] : [one]))

const slursOf = (notes: readonly Element[], type: string): Element[] =>
  notes.flatMap(notationsOf).filter(({ name, attributes }) => name === 'slur' && attributes.type === type)

function slurBetween(
  editor: PartEditor,
  first: EventPlace,
  last: EventPlace,
): { start: Element; stop: Element } | undefined {
  const stops = slursOf(eventOf(editor, last)?.notes.slice(0, 1) ?? [], 'stop')
  for (const start of slursOf(eventOf(editor, first)?.notes.slice(0, 1) ?? [], 'start')) {
    const number = start.attributes.number ?? '1'
    const stop = stops.find(({ attributes }) => (attributes.number ?? '1') === number)
    if (stop) return { start, stop }
  }
  return undefined
}

/** The lowest number that no slur of the measures has, nor one over them. */
function freeNumber(editor: PartEditor, from: number, to: number): number {
  const used = new Set<string>()
  const open = new Set<string>()
  for (let index = 0; index <= to; index++) {
    for (const note of notesOfModel(editor.modelAt(index))) {
      for (const { name, attributes } of notationsOf(note)) {
        if (name !== 'slur') continue
        const number = attributes.number ?? '1'
        if (attributes.type === 'start') open.add(number)
        else if (attributes.type === 'stop') open.delete(number)
        if (index >= from) used.add(number)
      }
    }
    if (index === from - 1) for (const number of open) used.add(number)
  }
  for (let number = 1; number <= mostSlurs; number++) if (!used.has(String(number))) return number
  return refuse('tooManySigns')
}

/** The next chord of a voice, after rests too. */
function nextChord(editor: PartEditor, place: EventPlace): EventPlace | undefined {
  const stream = editor.modelAt(place.index).streams[place.stream]
  if (stream === undefined) return undefined
  const voice = voiceOfStream(editor, stream)
  for (let index = place.index; index < editor.measures.length; index++) {
    const at =
      index === place.index ? place.stream : streamPlace(editor, index, editor.staffOf(stream), voice)
    const events = editor.modelAt(index).streams[at]?.events ?? []
    const after = index === place.index ? place.event : -1
    const event = events.findIndex((one, number) => number > after && !isRestEvent(one))
    if (event >= 0) return { index, stream: at, event }
  }
  return undefined
}
