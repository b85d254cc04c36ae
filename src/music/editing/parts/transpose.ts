import type { Element } from '../../model/document.ts'
import { concertFifths } from '../../model/key-signature.ts'
import { type Interval, isUnison, simplestInterval } from '../../model/transposition/interval.ts'
import { movedPart } from '../../model/transposition/move-part.ts'
import { fifthsOf } from '../../model/transposition/staff-state.ts'
import { child, childrenNamed, type ScoreDocument } from '../../model/document.ts'
import type { Outcome } from '../operation.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'

/** Transposes all parts but percussion: notes, keys and chord symbols. */
export interface TransposeScore {
  readonly type: 'transposeScore'
  /** From −24 to 24. */
  readonly semitones: number
  /** The steps of the staff. By default those that give a key with few sharps and flats. */
  readonly steps?: number
}

const mostSemitones = 24

export function transposeScore(session: Session, { semitones, steps }: TransposeScore): Outcome {
  const isInterval = Number.isInteger(semitones) && (steps === undefined || Number.isInteger(steps))
  if (!isInterval || Math.abs(semitones) > mostSemitones) refuse('invalidValue')
  const { document } = session
  const interval: Interval =
    steps === undefined ? simplestInterval(semitones, firstKey(session)) : { semitones, steps }
  if (isUnison(interval)) return { notes: [], score: { document } }
  const children = document.root.children.map((part) =>
    part.name === 'part' && !isPercussion(document, part)
      ? movedPart(part, { intervalOf: () => interval, transpositionOf: () => undefined })
      : part,
  )
  return { notes: [], score: { document: { root: { ...document.root, children } } } }
}

/** Whether the notes of a part mean drums. */
function isPercussion(document: ScoreDocument, part: Element): boolean {
  const list = child(document.root, 'part-list')
  const entry = (list ? childrenNamed(list, 'score-part') : []).find(
    ({ attributes }) => attributes.id === part.attributes.id,
  )
  return (
    entry?.children.some((one) => one.name === 'midi-instrument' && child(one, 'midi-unpitched')) ?? false
  )
}

/** The concert key at the start of the score. */
function firstKey(session: Session): number {
  for (const part of session.parts) {
    const attributes = session
      .part(part)
      .measures[0]?.children.filter(({ name }) => name === 'attributes')
      .flatMap(({ children }) => children)
    const key = attributes?.find(({ name }) => name === 'key')
    const fifths = key && fifthsOf(key)
    if (fifths !== undefined)
      return concertFifths(
        fifths,
        attributes?.find(({ name }) => name === 'transpose'),
      )
  }
  return 0
}
