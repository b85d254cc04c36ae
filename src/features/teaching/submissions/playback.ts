import type { AssignmentSubmissionPlayback } from '../../../contract/submissions.ts'
import { fail } from '../../../errors.ts'

/**
 * Merges play counts of a request body into the stored ones. A count never decreases.
 * @param scores the scores of the assignment and the submission
 * @param allowed the maximum number of plays per score; undefined for no limit
 * @throws INVALID_PARAMETER, PLAYBACK_EXHAUSTED
 */
export function mergePlayback(
  before: readonly AssignmentSubmissionPlayback[],
  sent: readonly AssignmentSubmissionPlayback[],
  scores: ReadonlySet<string>,
  allowed: number | undefined,
): AssignmentSubmissionPlayback[] {
  const counts = new Map(before.map(({ score, nbPlayAttempt }) => [score, nbPlayAttempt]))
  for (const [index, { score, nbPlayAttempt }] of sent.entries()) {
    const refuse = (field: string, problem: string) => {
      const param = `playback.${index}.${field}`
      fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
    }
    if (!scores.has(score)) refuse('score', 'must be a score of the assignment or the submission')
    if (!Number.isSafeInteger(nbPlayAttempt) || nbPlayAttempt < 0)
      refuse('nbPlayAttempt', 'must be a non-negative integer')
    const counted = counts.get(score) ?? 0
    // Clients send stored counts back, and the limit may have been lowered since then.
    if (allowed !== undefined && nbPlayAttempt > Math.max(allowed, counted)) {
      fail('PLAYBACK_EXHAUSTED', { param: `playback.${index}.nbPlayAttempt` })
    }
    counts.set(score, Math.max(counted, nbPlayAttempt))
  }
  return [...counts].map(([score, nbPlayAttempt]) => ({ score, nbPlayAttempt }))
}
