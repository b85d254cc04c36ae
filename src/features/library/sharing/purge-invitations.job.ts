import { day, hour } from '../../../lib/durations.ts'
import { inBatches } from '../../../platform/queue/in-batches.ts'
import { job } from '../../../platform/queue/job.ts'
import { deleteInvitationsBefore } from './invitations.store.ts'

/** Deletes the invitations to addresses that no account has accepted in time. */
export const purgeInvitations = job({
  kind: 'purge-invitations',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - ctx.config.invitationDays * day
    await inBatches(ctx, signal, (tx) => deleteInvitationsBefore(tx, before))
  },
})
