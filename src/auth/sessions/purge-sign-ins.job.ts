import { job } from '../../platform/queue/job.ts'
import { deleteExpiredAuthorizations } from '../tokens/authorizations.store.ts'
import { deleteExpiredDelegatedTokens } from '../tokens/store.ts'
import { deleteExpiredProviderSignIns } from '../providers/store.ts'
import { deleteExpiredCounters } from '../throttling/attempt-limits.store.ts'
import { deleteExpiredEmailVerifications } from './email-verifications.store.ts'
import { deleteExpiredChallenges } from '../passkeys/challenges.store.ts'
import { deleteExpiredSecondFactors } from '../second-factor/second-factors.store.ts'
import { deleteExpiredSignIns } from './store.ts'
import { hour } from '../../lib/durations.ts'

/** Deletes expired sessions, links, tokens, codes and counters. */
export const purgeSignIns = job({
  kind: 'purge-sign-ins',
  every: hour,
  async handle(ctx) {
    const now = ctx.clock.now()
    await ctx.transaction(async (tx) => {
      await deleteExpiredSignIns(tx, now)
      await deleteExpiredDelegatedTokens(tx, now)
      await deleteExpiredAuthorizations(tx, now)
      await deleteExpiredEmailVerifications(tx, now)
      await deleteExpiredCounters(tx, now)
      await deleteExpiredChallenges(tx, now)
      await deleteExpiredSecondFactors(tx, now)
      await deleteExpiredProviderSignIns(tx, now)
    })
  },
})
