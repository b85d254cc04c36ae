import { type CreditChange, withCredits } from '../../model/write-credits.ts'
import type { Outcome } from '../operation.ts'
import type { Session } from '../session.ts'

/** Changes the title and the other names at the head of the score. Null removes one, and what is left out stays. */
export interface SetCredits extends CreditChange {
  readonly type: 'setCredits'
}

export function setCredits(session: Session, { type: _type, ...change }: SetCredits): Outcome {
  return { notes: [], score: { document: withCredits(session.document, change) } }
}
