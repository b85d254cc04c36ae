import { job } from '../../../platform/queue/job.ts'
import { publishIfDue } from './publication.ts'

/**
 * Publishes an assignment on its scheduled date. If the date has been postponed, the job is scheduled again.
 */
export const publishAssignmentJob = job({
  kind: 'publish-assignment',
  handle: (ctx, { assignment }) => ctx.transaction((tx) => publishIfDue(ctx, tx, assignment)),
})
