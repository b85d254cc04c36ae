import { job } from '../../../platform/queue/job.ts'
import { deleteViewsBefore, hourOf } from './views.store.ts'
import { hour } from '../../../lib/durations.ts'

/**
 * How long viewers are stored, in milliseconds. Views are counted once an hour. The rest is a margin for
 * clock differences and delayed writes.
 */
const retention = 48 * hour

/** Deletes the records of which viewer saw which score. The counts stay. */
export const purgeViews = job({
  kind: 'purge-views',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await deleteViewsBefore(ctx.db, hourOf(ctx.clock.now() - retention), signal)
  },
})
