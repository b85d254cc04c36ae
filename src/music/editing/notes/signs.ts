import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import { isRestNote, mapNotations, notationsOf, withNotation } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { byEvent, eventOf, findNotes, replaceEvent, selectionOf } from './found-notes.ts'

const articulations = ['staccato', 'staccatissimo', 'tenuto', 'accent', 'strong-accent'] as const

/** Gives notes an articulation, or takes it from them if all have it. */
export interface ToggleArticulation {
  readonly type: 'toggleArticulation'
  readonly notes: readonly string[]
  readonly articulation: (typeof articulations)[number]
}

/** Gives notes and rests a fermata, or takes it from them if all have it. */
export interface ToggleFermata {
  readonly type: 'toggleFermata'
  readonly notes: readonly string[]
}

export function toggleArticulation(session: Session, { notes, articulation }: ToggleArticulation): Outcome {
  if (!articulations.includes(articulation)) refuse('invalidValue')
  return toggleSign(session, notes, {
    canHave: (note) => !isRestNote(note),
    has: (note) =>
      notationsOf(note).some(
        (one) => one.name === 'articulations' && one.children.some(({ name }) => name === articulation),
      ),
    add: (note) => withArticulation(note, articulation),
    remove: (note) =>
      mapNotations(note, (one) => {
        if (one.name !== 'articulations') return [one]
        const children = one.children.filter(({ name }) => name !== articulation)
        if (children.length === one.children.length) return [one]
        return children.length > 0 ? [{ ...one, children }] : []
      }),
  })
}

export function toggleFermata(session: Session, { notes }: ToggleFermata): Outcome {
  return toggleSign(session, notes, {
    canHave: () => true,
    has: (note) => notationsOf(note).some(({ name }) => name === 'fermata'),
    add: (note) => withNotation(note, node('fermata', [], { type: 'upright' })),
    remove: (note) => mapNotations(note, (one) => (one.name === 'fermata' ? [] : [one])),
  })
}

/** A sign of a chord, which is written at its first note. */
interface SignOfChord {
  canHave(note: Element): boolean
  has(note: Element): boolean
  add(note: Element): Element
  remove(note: Element): Element
}

function toggleSign(session: Session, ids: readonly string[], sign: SignOfChord): Outcome {
  const chords = [...findNotes(session, ids)].flatMap(([editor, found]) =>
    byEvent(found).flatMap(([place]) => {
      const event = place && eventOf(editor, place)
      return place && event?.notes[0] && sign.canHave(event.notes[0]) ? [{ editor, place, event }] : []
    }),
  )
  if (chords.length === 0) refuse('notANote')
  const isRemoved = chords.every(({ event }) => event.notes.some(sign.has))
  for (const { editor, place, event } of chords) {
    const notes = event.notes.map((note, index) => {
      if (isRemoved) return sign.remove(note)
      return index === 0 && !event.notes.some(sign.has) ? sign.add(note) : note
    })
    replaceEvent(editor, place, { ...event, notes })
  }
  return { notes: chords.map(({ editor, place }) => selectionOf(editor, place)) }
}

function withArticulation(note: Element, name: string): Element {
  const sign = node(name, [])
  const present = notationsOf(note).find((one) => one.name === 'articulations')
  if (present === undefined) return withNotation(note, node('articulations', [sign]))
  return mapNotations(note, (one) => [one === present ? { ...one, children: [...one.children, sign] } : one])
}
