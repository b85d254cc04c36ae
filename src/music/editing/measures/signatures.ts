import type { Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { fifthsOfInterval, respelled } from '../../model/key-signature.ts'
import { withAccidentals } from '../accidentals.ts'
import { withAttributes } from '../attributes.ts'
import type { Outcome } from '../operation.ts'
import { findPosition, type PartEditor } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'

/** Gives the score a key signature from a measure on. Notes keep their pitches. */
export interface SetKey {
  readonly type: 'setKey'
  /** The uuid of the measure. */
  readonly measure: string
  /** The concert key: sharps, or flats as a negative number, −7…7. */
  readonly fifths: number
  readonly mode?: 'major' | 'minor'
}

/** Gives a staff a clef from a time on. Notes keep their pitches. */
export interface SetClef {
  readonly type: 'setClef'
  readonly at: Position
  readonly clef: {
    readonly sign: 'G' | 'F' | 'C' | 'percussion'
    readonly line?: number
    readonly octaveChange?: number
  }
}

export function setKey(session: Session, { measure, fifths, mode }: SetKey): Outcome {
  if (!Number.isInteger(fifths) || Math.abs(fifths) > 7) refuse('invalidValue')
  for (const part of session.parts) {
    const editor = session.part(part)
    const index = editor.findMeasure(measure)
    if (index < 0 || isUnpitched(editor, index)) continue
    const key = node('key', [
      leaf('fifths', writtenFifths(editor, index, fifths)),
      ...(mode ? [leaf('mode', mode)] : []),
    ])
    const before = keysOfMeasures(editor)
    editor.replace(
      index,
      withAttributes(editor.modelAt(index), 0, [key], ({ name }) => name === 'key'),
    )
    respell(editor, index, before)
  }
  return { notes: [] }
}

type Keys = ReturnType<PartEditor['stateAt']>['keys']

const keysOfMeasures = (editor: PartEditor): Keys[] =>
  editor.measures.map((_, index) => editor.stateAt(index).keys)

/** Gives the notes after a new key signature the accidentals that they need in it. */
function respell(editor: PartEditor, from: number, before: readonly Keys[]): void {
  for (let index = from; index < editor.measures.length; index++) {
    const keys = editor.stateAt(index).keys
    const old = before[index]
    if (old === undefined || (index > from && sameKeys(keys, old))) break
    const model = editor.modelAt(index)
    const spelled = withAccidentals({ model: editor.originalAt(index), keys: old }, { model, keys })
    if (spelled !== model) editor.replace(index, spelled)
  }
}

const sameKeys = (one: Keys, other: Keys): boolean =>
  JSON.stringify([...one].map(([staff, key]) => [staff, [...key]])) ===
  JSON.stringify([...other].map(([staff, key]) => [staff, [...key]]))

/** Whether all staves of a part are for percussion. */
function isUnpitched(editor: PartEditor, index: number): boolean {
  const { staves, clefs } = editor.stateAt(index)
  return Array.from({ length: staves }, (_, place) => clefs.get(place + 1)?.sign).every(
    (sign) => sign === 'percussion',
  )
}

/** The key that a transposing instrument reads. */
function writtenFifths(editor: PartEditor, index: number, concert: number): number {
  const { transpose } = editor.stateAt(index)
  return transpose ? respelled(concert - fifthsOfInterval(transpose.chromatic, transpose.diatonic)) : concert
}

export function setClef(session: Session, { at, clef }: SetClef): Outcome {
  const found = findPosition(session, at)
  const { sign, line, octaveChange } = clef
  const isLine = line === undefined ? sign === 'percussion' : Number.isInteger(line) && line >= 1 && line <= 5
  const isOctave =
    octaveChange === undefined || (Number.isInteger(octaveChange) && Math.abs(octaveChange) <= 2)
  if (!['G', 'F', 'C', 'percussion'].includes(sign) || !isLine || !isOctave) refuse('invalidValue')
  const { editor, index, staff, onset } = found
  const children: Element[] = [
    leaf('sign', sign),
    ...(line === undefined ? [] : [leaf('line', line)]),
    ...(octaveChange ? [leaf('clef-octave-change', octaveChange)] : []),
  ]
  const hasStaves = editor.stateAt(0).staves > 1
  const element = node('clef', children, hasStaves ? { number: String(staff) } : undefined)
  const isSameStaff = (one: Element) => one.name === 'clef' && (Number(one.attributes.number) || 1) === staff
  editor.replace(index, withAttributes(editor.modelAt(index), onset, [element], isSameStaff))
  return { notes: [], caret: at }
}
