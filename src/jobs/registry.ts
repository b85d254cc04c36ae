import { sweepBlobs } from '../blobs/sweep-blobs.job.ts'
import { forgetJobs } from './forget-jobs.job.ts'
import type { Job } from './job.ts'
import type { JobKind } from './kinds.ts'

/** Who does which kind of job: one line a kind. */
export const handlers: { readonly [Kind in JobKind]: Job<Kind> } = {
  'forget-jobs': forgetJobs,
  'sweep-blobs': sweepBlobs,
}
