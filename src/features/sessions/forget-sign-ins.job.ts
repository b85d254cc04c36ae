import { job } from '../../jobs/job.ts'
import { deleteSpentAuthorizations } from '../access-tokens/authorizations.ts'
import { deleteSpentDelegatedTokens } from '../access-tokens/store.ts'
import { deleteSpentProviderSignIns } from '../sign-in-providers/store.ts'
import { deleteSpentAttempts } from './attempts.ts'
import { deleteSpentEmailVerifications } from './email-verifications.ts'
import { deleteSpentSecondFactors } from './second-factors.ts'
import { deleteSpentSignIns } from './store.ts'

const hour = 60 * 60 * 1000

/** Forgets what has run out of all by which people and apps are signed in, and what was counted of that. */
export const forgetSignIns = job({
  kind: 'forget-sign-ins',
  every: hour,
  async handle(ctx) {
    const now = ctx.clock.now()
    await ctx.transaction(async (tx) => {
      await deleteSpentSignIns(tx, now)
      await deleteSpentDelegatedTokens(tx, now)
      await deleteSpentAuthorizations(tx, now)
      await deleteSpentEmailVerifications(tx, now)
      await deleteSpentAttempts(tx, now)
      await deleteSpentSecondFactors(tx, now)
      await deleteSpentProviderSignIns(tx, now)
    })
  },
})
