import { sweepBlobs } from '../blobs/sweep-blobs.job.ts'
import { describeLinkJob } from '../features/assignments/describe-link.job.ts'
import { forgetLinks } from '../features/assignments/forget-links.job.ts'
import { publishAssignmentJob } from '../features/assignments/publish-assignment.job.ts'
import { forgetEvents } from '../features/audit/forget-events.job.ts'
import { deleteCollectionsJob } from '../features/collections/delete-collections.job.ts'
import { deleteUsersJob } from '../features/data-rights/delete-users.job.ts'
import { forgetRequests } from '../features/idempotency/forget-requests.job.ts'
import { deleteScoresJob } from '../features/scores/delete-scores.job.ts'
import { shipContentJob } from '../features/edu-resources/ship-content.job.ts'
import { exportScoreJob } from '../features/scores/export-score.job.ts'
import { forgetExports } from '../features/scores/forget-exports.job.ts'
import { forgetViews } from '../features/scores/forget-views.job.ts'
import { importScoreJob } from '../features/scores/import-score.job.ts'
import { forgetSignIns } from '../features/sessions/forget-sign-ins.job.ts'
import { sendAccountNotice } from '../features/sessions/send-account-notice.job.ts'
import { sendEmailVerification } from '../features/sessions/send-email-verification.job.ts'
import { sendPasswordReset } from '../features/sessions/send-password-reset.job.ts'
import { forgetTasks } from '../features/tasks/forget-tasks.job.ts'
import { forgetJobs } from './forget-jobs.job.ts'
import type { Job } from './job.ts'
import type { JobKind } from './kinds.ts'

/** Who does which kind of job: one line a kind. */
export const handlers: { readonly [Kind in JobKind]: Job<Kind> } = {
  'delete-collections': deleteCollectionsJob,
  'delete-scores': deleteScoresJob,
  'delete-users': deleteUsersJob,
  'describe-link': describeLinkJob,
  'export-score': exportScoreJob,
  'forget-events': forgetEvents,
  'forget-exports': forgetExports,
  'forget-jobs': forgetJobs,
  'forget-links': forgetLinks,
  'forget-requests': forgetRequests,
  'forget-sign-ins': forgetSignIns,
  'forget-tasks': forgetTasks,
  'forget-views': forgetViews,
  'import-score': importScoreJob,
  'publish-assignment': publishAssignmentJob,
  'send-account-notice': sendAccountNotice,
  'send-email-verification': sendEmailVerification,
  'send-password-reset': sendPasswordReset,
  'ship-content': shipContentJob,
  'sweep-blobs': sweepBlobs,
}
