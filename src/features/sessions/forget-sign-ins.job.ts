import { job } from '../../jobs/job.ts'
import { deleteSpentDelegatedTokens } from '../access-tokens/store.ts'
import { deleteSpentSignIns } from './store.ts'

const hour = 60 * 60 * 1000

/** Forgets the sessions, sign-in links and delegated tokens that have run out. */
export const forgetSignIns = job({
  kind: 'forget-sign-ins',
  every: hour,
  async handle(ctx) {
    const now = ctx.clock.now()
    await ctx.transaction(async (tx) => {
      await deleteSpentSignIns(tx, now)
      await deleteSpentDelegatedTokens(tx, now)
    })
  },
})
