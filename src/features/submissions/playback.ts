import type { AssignmentSubmissionPlayback } from '../../contract/submissions.ts'
import { fail } from '../../errors.ts'

/**
 * How often each score was played, after what a body says of it: a count only ever grows.
 * @param scores those that belong to the work
 * @param allowed how often each may be played; undefined for as often as wanted
 * @throws INVALID_PARAMETER, PLAYBACK_EXHAUSTED
 */
export function playedAfter(
  before: readonly AssignmentSubmissionPlayback[],
  said: readonly AssignmentSubmissionPlayback[],
  scores: ReadonlySet<string>,
  allowed: number | undefined,
): AssignmentSubmissionPlayback[] {
  const counts = new Map(before.map(({ score, nbPlayAttempt }) => [score, nbPlayAttempt]))
  for (const [index, { score, nbPlayAttempt }] of said.entries()) {
    const refuse = (field: string, what: string) => {
      const param = `playback.${index}.${field}`
      fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${what}.` })
    }
    if (!scores.has(score)) refuse('score', 'is no score of the assignment or of the submission')
    if (!Number.isSafeInteger(nbPlayAttempt) || nbPlayAttempt < 0) refuse('nbPlayAttempt', 'is no count')
    const counted = counts.get(score) ?? 0
    // Clients send back what they were given, which may be more than is allowed by now.
    if (allowed !== undefined && nbPlayAttempt > Math.max(allowed, counted)) {
      fail('PLAYBACK_EXHAUSTED', { param: `playback.${index}.nbPlayAttempt` })
    }
    counts.set(score, Math.max(counted, nbPlayAttempt))
  }
  return [...counts].map(([score, nbPlayAttempt]) => ({ score, nbPlayAttempt }))
}
