import { child, type Element, measuresOf } from '../document.ts'
import { leaf, node } from '../element.ts'
import { fifthsOfInterval, respelled } from '../key-signature.ts'
import { type Interval, intervalInKey } from './interval.ts'
import { movedHarmony, movedNote, movedStep, withSigns } from './move-note.ts'
import { createStaves, fifthsOf, type StaffState } from './staff-state.ts'

/** How the notes of a part are moved. */
export interface Move {
  /** The interval for the notes of a staff. */
  intervalOf(staff: StaffState): Interval
  /** Reads the transposition of the instrument from a child of `attributes`, if it is one. */
  transpositionOf(element: Element): Interval | undefined
  /** Replaces a child of `attributes` that is neither a key nor a clef. */
  replaced?(element: Element, siblings: readonly Element[]): readonly Element[]
}

/**
 * Moves the notes, key signatures and chord symbols of a part. A note keeps its distance from the key signature, so a note without an
 * accidental needs none afterwards. Unpitched notes stay.
 */
export function movedPart(part: Element, move: Move): Element {
  const staves = createStaves(move.transpositionOf)
  /** The interval of a staff, with the spelling of its present key. */
  const intervalAt = (staff: string | undefined): Interval => {
    const state = staves.at(staff)
    return intervalInKey(move.intervalOf(state), state.fifths)
  }
  const first = measuresOf(part)[0]
  const children = part.children.map((measure) => {
    if (measure.name !== 'measure') return measure
    const notes: { readonly place: number; readonly staff: string; readonly fifths: number }[] = []
    let isRespelled = false
    const moved = measure.children.map((element, place) => {
      switch (element.name) {
        case 'attributes':
          staves.read(element)
          return movedAttributes(element, move, staves.at)
        case 'harmony':
          return movedHarmony(element, intervalAt(child(element, 'staff')?.text))
        case 'note': {
          const staff = child(element, 'staff')?.text.trim() ?? '1'
          const state = staves.at(staff)
          if (state.isUnpitched) return element
          const interval = intervalAt(staff)
          notes.push({ place, staff, fifths: newFifths(state.fifths, move.intervalOf(state)) })
          const result = movedNote(element, interval)
          isRespelled ||= result.isRespelled
          return result.note
        }
        default:
          return element
      }
    })
    const spelled = isRespelled ? withSigns(moved, notes) : moved
    return {
      ...measure,
      children: measure === first ? withKey(spelled, newFifths(0, firstInterval())) : spelled,
    }
  })

  function firstInterval(): Interval {
    const start = createStaves(move.transpositionOf)
    for (const element of first?.children ?? []) {
      if (element.name === 'note') break
      if (element.name === 'attributes') start.read(element)
    }
    return move.intervalOf(start.at('1'))
  }
  return { ...part, children }
}

const newFifths = (fifths: number, { semitones, steps }: Interval): number =>
  respelled(fifths + fifthsOfInterval(Math.round(semitones), steps))

/** Adds a key signature to a first measure without one: it meant a key without sharps and flats. */
function withKey(children: Element[], fifths: number): Element[] {
  const places = children.flatMap(({ name }, index) => (name === 'attributes' ? [index] : []))
  const hasKey = places.some((index) => child(children[index] as Element, 'key'))
  const isPitched = children.some((element) => element.name === 'note' && !child(element, 'unpitched'))
  if (fifths === 0 || hasKey || !isPitched) return children
  const key = node('key', [leaf('fifths', fifths)])
  const [place] = places
  const attributes = place === undefined ? undefined : children[place]
  if (place === undefined || !attributes) return [node('attributes', [key]), ...children]
  const before = attributes.children.filter(({ name }) => beforeKey.has(name)).length
  return children.with(place, {
    ...attributes,
    children: attributes.children.toSpliced(before, 0, key),
  })
}

/** The children of `attributes` that precede `key` (MusicXML 4.0). */
const beforeKey: ReadonlySet<string> = new Set(['footnote', 'level', 'divisions'])

function movedAttributes(
  attributes: Element,
  move: Move,
  stateOf: (staff: string | undefined) => StaffState,
): Element {
  const children = attributes.children.flatMap((element) => {
    if (element.name !== 'key') return move.replaced?.(element, attributes.children) ?? [element]
    const { number } = element.attributes
    const state = stateOf(number?.trim() ?? '1')
    return [state.isUnpitched ? element : movedKey(element, move.intervalOf(state))]
  })
  return { ...attributes, children }
}

function movedKey(key: Element, interval: Interval): Element {
  const fifths = fifthsOf(key)
  const ofKey = intervalInKey(interval, fifths ?? 0)
  const change = fifthsOfInterval(Math.round(ofKey.semitones), ofKey.steps)
  const children = [...key.children]
  for (const [index, element] of key.children.entries()) {
    if (element.name === 'fifths' && fifths !== undefined) children[index] = leaf('fifths', fifths + change)
    if (element.name === 'cancel')
      children[index] = leaf('cancel', respelled(Number(element.text) + change || 0), element.attributes)
  }
  return { ...key, children: movedStep(children, 'key', ofKey) }
}
