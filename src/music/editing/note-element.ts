import { child, childrenNamed, childText, type Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import { isNoteType, type NoteValue } from './values.ts'

/** A written pitch. On a percussion staff it is the place of the note. */
export interface Pitch {
  readonly step: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G'
  /** Semitones by which the step is altered. */
  readonly alter: number
  /** 4 for the octave that begins with middle C. */
  readonly octave: number
}

/** A number of notes in the time of a number of others. */
export interface TupletRatio {
  readonly actual: number
  readonly normal: number
}

/** The children of a note in the order of the schema (MusicXML 4.0, `note`). */
const order =
  'grace cue chord pitch unpitched rest duration tie instrument footnote level voice type dot accidental time-modification stem notehead notehead-text staff beam notations lyric play listen'.split(
    ' ',
  )

const placeOf = (name: string): number => order.indexOf(name)

/** Replaces the children with a name, in the order of the schema. An empty list removes them. */
export function withChildren(note: Element, name: string, replacements: readonly Element[]): Element {
  if (replacements.length === 0 && !note.children.some((one) => one.name === name)) return note
  const children = note.children.filter((one) => one.name !== name)
  const first = note.children.findIndex((one) => one.name === name)
  const before = first >= 0 ? first : children.findIndex((one) => placeOf(one.name) > placeOf(name))
  children.splice(before < 0 ? children.length : before, 0, ...replacements)
  return { ...note, children }
}

export const hasChild = (element: Element, name: string): boolean =>
  element.children.some((one) => one.name === name)

export const isRestNote = (note: Element): boolean => hasChild(note, 'rest')

export const pitchElement = ({ step, alter, octave }: Pitch): Element =>
  node('pitch', [leaf('step', step), ...(alter === 0 ? [] : [leaf('alter', alter)]), leaf('octave', octave)])

export const isSamePitch = (a: Pitch | undefined, b: Pitch | undefined): boolean =>
  a !== undefined && b !== undefined && a.step === b.step && a.alter === b.alter && a.octave === b.octave

const steps = 'ABCDEFG'

/** The pitch of a note, or its place on a percussion staff. Undefined for a rest. */
export function pitchOfNote(note: Element): Pitch | undefined {
  const element = child(note, 'pitch') ?? child(note, 'unpitched')
  if (element === undefined) return undefined
  const prefix = element.name === 'pitch' ? '' : 'display-'
  const step = childText(element, `${prefix}step`)?.toUpperCase() ?? 'B'
  const octave = Number(childText(element, `${prefix}octave`) ?? 4)
  if (step.length !== 1 || !steps.includes(step) || !Number.isInteger(octave)) return undefined
  return { step: step as Pitch['step'], alter: Number(childText(element, 'alter')) || 0, octave }
}

/** The written value of a note. Undefined if the file does not say it. */
export function valueOfNote(note: Element): NoteValue | undefined {
  const type = childText(note, 'type')
  return isNoteType(type) ? { type, dots: childrenNamed(note, 'dot').length } : undefined
}

/** The tuplet in which a note is. Undefined outside of tuplets. */
export function tupletRatioOf(note: Element): TupletRatio | undefined {
  const ratio = child(note, 'time-modification')
  const actual = Number(ratio && childText(ratio, 'actual-notes'))
  const normal = Number(ratio && childText(ratio, 'normal-notes'))
  return actual > 0 && normal > 0 ? { actual, normal } : undefined
}

export const hasTie = (note: Element, type: 'start' | 'stop'): boolean =>
  note.children.some((one) => one.name === 'tie' && one.attributes.type === type)

/** The children of all `notations` of a note. */
export const notationsOf = (note: Element): Element[] =>
  childrenNamed(note, 'notations').flatMap(({ children }) => children)

/** Replaces what is in the `notations` of a note. */
export function mapNotations(note: Element, change: (notation: Element) => readonly Element[]): Element {
  let isChanged = false
  const children = note.children.flatMap((one) => {
    if (one.name !== 'notations') return [one]
    const inner = one.children.flatMap((notation) => change(notation))
    if (inner.length === one.children.length && inner.every((two, index) => two === one.children[index]))
      return [one]
    isChanged = true
    return inner.length > 0 ? [{ ...one, children: inner }] : []
  })
  return isChanged ? { ...note, children } : note
}

/** Adds an element to the `notations` of a note. */
export function withNotation(note: Element, notation: Element): Element {
  const present = child(note, 'notations')
  if (present === undefined) return withChildren(note, 'notations', [node('notations', [notation])])
  const more = { ...present, children: [...present.children, notation] }
  return { ...note, children: note.children.map((one) => (one === present ? more : one)) }
}

/** Adds a tie with its curve. */
export function withTie(note: Element, type: 'start' | 'stop'): Element {
  if (hasTie(note, type)) return note
  const ties = childrenNamed(note, 'tie')
  const tie = node('tie', [], { type })
  const tied = withChildren(note, 'tie', type === 'stop' ? [tie, ...ties] : [...ties, tie])
  return withNotation(tied, node('tied', [], { type }))
}

export function withoutTie(note: Element, type: 'start' | 'stop'): Element {
  const ties = childrenNamed(note, 'tie').filter(({ attributes }) => attributes.type !== type)
  return mapNotations(withChildren(note, 'tie', ties), (one) =>
    one.name === 'tied' && one.attributes.type === type ? [] : [one],
  )
}

/** Gives a note another value and tuplet. The duration follows when the measure is written. */
export function withValue(note: Element, value: NoteValue | undefined, ratio?: TupletRatio): Element {
  const typed = withChildren(note, 'type', value ? [leaf('type', value.type)] : [])
  const dots = Array.from({ length: value?.dots ?? 0 }, () => node('dot', []))
  const dotted = withChildren(typed, 'dot', dots)
  return withChildren(
    dotted,
    'time-modification',
    ratio
      ? [node('time-modification', [leaf('actual-notes', ratio.actual), leaf('normal-notes', ratio.normal)])]
      : [],
  )
}

/** The voice and staff that a note is written in. */
export interface WrittenVoice {
  /** The text of `voice`. Undefined in a file that does not name voices. */
  readonly voice: string | undefined
  readonly staff: number
  readonly hasStaves: boolean
}

interface NewNote extends WrittenVoice {
  readonly value: NoteValue | undefined
  readonly ratio?: TupletRatio | undefined
}

/** A new rest. Its duration follows when the measure is written. */
export function restNote({ voice, staff, hasStaves, value, ratio }: NewNote, isMeasureRest = false): Element {
  const rest = node('note', [
    node('rest', [], isMeasureRest ? { measure: 'yes' } : undefined),
    leaf('duration', 0),
    ...(voice === undefined ? [] : [leaf('voice', voice)]),
    ...(hasStaves ? [leaf('staff', staff)] : []),
  ])
  return isMeasureRest ? rest : withValue(rest, value, ratio)
}

/** A new note. Its duration follows when the measure is written. */
export function pitchedNote(pitch: Element, { voice, staff, hasStaves, value, ratio }: NewNote): Element {
  const note = node('note', [
    pitch,
    leaf('duration', 0),
    ...(voice === undefined ? [] : [leaf('voice', voice)]),
    ...(hasStaves ? [leaf('staff', staff)] : []),
  ])
  return withValue(note, value, ratio)
}
