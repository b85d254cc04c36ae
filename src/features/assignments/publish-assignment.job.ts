import { job } from '../../jobs/job.ts'
import { publishDue } from './publication.ts'

/** Publishes an assignment whose time has come; where that was put off meanwhile, it waits again. */
export const publishAssignmentJob = job({
  kind: 'publish-assignment',
  handle: (ctx, { assignment }) => ctx.transaction((tx) => publishDue(ctx, tx, assignment)),
})
