import { fail } from '../../../errors.ts'
import type { Waiter } from '../../../lib/shared-runs.ts'
import type { Context } from '../../../context.ts'

/** Maximum number of attempts when other processes save revisions of the same score at the same time. */
export const maxAttempts = 10

/**
 * Runs a change that starts from the last revision of a score. Changes of one score run one after another.
 * @param attempt returns undefined if another process saved a revision meanwhile; it then runs again
 * @throws REVISION_CONFLICT
 */
export async function onLastRevision<Result>(
  ctx: Context,
  score: string,
  waiter: Waiter,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  return ctx.keyedMutex(score, waiter, async () => {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const result = await attempt()
      if (result !== undefined) return result
    }
    return fail('REVISION_CONFLICT')
  })
}
