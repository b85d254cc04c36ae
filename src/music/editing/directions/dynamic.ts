import { dynamicLevels } from '../../model/dynamic-levels.ts'
import { node } from '../../model/element.ts'
import type { Outcome } from '../operation.ts'
import { findPosition } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { directionElement, isDirectionAt, replaceMarks } from './marks.ts'

/** Other marks of MusicXML, which tell a level and a change of it at once. */
const others = ['fp', 'sf', 'sfp', 'sfpp', 'sfz', 'sffz', 'sfzp', 'fz', 'pf', 'rf', 'rfz']

/** Writes a dynamic mark at a time of a staff, in the place of the one there. Null removes it. */
export interface SetDynamic {
  readonly type: 'setDynamic'
  readonly at: Position
  /** As in MusicXML, such as `mf`. */
  readonly dynamic: string | null
}

export function setDynamic(session: Session, { at, dynamic }: SetDynamic): Outcome {
  const found = findPosition(session, at)
  if (dynamic !== null && !Object.hasOwn(dynamicLevels, dynamic) && !others.includes(dynamic))
    refuse('invalidValue')
  const element =
    dynamic === null ? undefined : directionElement(found, 'below', [node('dynamics', [node(dynamic, [])])])
  replaceMarks(found, (mark) => isDirectionAt(mark, at, 'dynamics'), element)
  return { notes: [], caret: at }
}
