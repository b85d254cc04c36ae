import { job } from '../../jobs/job.ts'
import { describeLink } from './web-links.ts'

/** Finds out what is at an address that somebody has attached. */
export const describeLinkJob = job({
  kind: 'describe-link',
  handle: (ctx, { url }) => describeLink(ctx, url),
})
