import type { CreditChange } from '../../../music/model/write-credits.ts'
import type { ScoreModification } from '../../../contract/scores.ts'
import type { StoredScore } from './store.ts'

/** Credits that were edited and are not in the document of the score yet. */
export interface PendingCredits {
  /** The account that edited them last. */
  readonly user: string
  readonly credits: CreditChange
}

/** Returns the credits that a body changes; undefined if there are none. */
export function creditsIn(change: ScoreModification): CreditChange | undefined {
  const { title, subtitle, composer, lyricist, arranger } = change
  const credits = { title, subtitle, composer, lyricist, arranger }
  return Object.values(credits).some((text) => text !== undefined) ? credits : undefined
}

/** Returns the value of `pending_credits` after an edit. Several edits in a row become one revision. */
export function addPending(stored: string | null, { user, credits }: PendingCredits): string {
  const before = stored === null ? {} : parsePending(stored).credits
  const given = Object.entries(credits).filter(([, text]) => text !== undefined)
  return JSON.stringify({ user, credits: { ...before, ...Object.fromEntries(given) } })
}

export const parsePending = (stored: string): PendingCredits => JSON.parse(stored)

/** Thrown in a transaction that needs the last revision of a score while the score has pending credits. */
export class CreditsArePending extends Error {
  override name = 'CreditsArePending'

  readonly score: Pick<StoredScore, 'id' | 'owner_id'>

  constructor(score: Pick<StoredScore, 'id' | 'owner_id'>) {
    super(`The document of the score ${score.id} lacks edited credits: call withCreditsWritten before`)
    this.score = score
  }
}

/**
 * Returns the id of the last revision of a score, whose document has all credits. Every read of the last revision goes through this
 * function, so that no export has an old title.
 * @throws CreditsArePending, for which `ctx.transaction` writes the credits and runs the transaction again. Code outside of a
 *   transaction calls `withCreditsWritten` before.
 */
export function lastRevisionOf(score: LastRevision): string {
  if (score.pending_credits !== null) throw new CreditsArePending(score)
  return score.last_revision_id
}

type LastRevision = Pick<StoredScore, 'id' | 'owner_id' | 'last_revision_id' | 'pending_credits'>
