import { job } from '../../../platform/queue/job.ts'
import { describeLink } from './web-links.ts'

/** Fetches the facts about a URL that a user attached. */
export const describeLinkJob = job({
  kind: 'describe-link',
  handle: (ctx, { url }) => describeLink(ctx, url),
})
