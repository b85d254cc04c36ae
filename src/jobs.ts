import { sweepBlobs } from './maintenance/sweep-blobs.job.ts'
import { describeLinkJob } from './features/teaching/assignments/describe-link.job.ts'
import { purgeLinks } from './features/teaching/assignments/purge-links.job.ts'
import { publishAssignmentJob } from './features/teaching/assignments/publish-assignment.job.ts'
import { purgeNotifications } from './features/people/notifications/purge-notifications.job.ts'
import { purgeEvents } from './features/people/audit/purge-events.job.ts'
import { countRecent } from './features/library/scores/count-recent.job.ts'
import { deleteCollectionsJob } from './features/library/collections/delete-collections.job.ts'
import { deleteUsersJob } from './features/people/data-rights/delete-users.job.ts'
import { purgeRequests } from './maintenance/purge-requests.job.ts'
import { deleteScoresJob } from './features/library/scores/delete-scores.job.ts'
import { shipContentJob } from './features/teaching/resources/ship-content.job.ts'
import { exportScoreJob } from './features/library/scores/export-score.job.ts'
import { purgeInvitations } from './features/library/sharing/purge-invitations.job.ts'
import { purgeViews } from './features/library/scores/purge-views.job.ts'
import { importScoreJob } from './features/library/scores/import-score.job.ts'
import { purgeSignIns } from './auth/sessions/purge-sign-ins.job.ts'
import { sendAccountNotice } from './auth/sessions/send-account-notice.job.ts'
import { sendEmailVerification } from './auth/sessions/send-email-verification.job.ts'
import { sendPasswordReset } from './auth/sessions/send-password-reset.job.ts'
import { purgeTasks } from './features/library/tasks/purge-tasks.job.ts'
import { deliverWebhooks } from './features/people/webhooks/deliver-webhooks.job.ts'
import { dispatchNewEvents } from './features/people/webhooks/dispatch-events.job.ts'
import { retryWebhooks } from './features/people/webhooks/retry-webhooks.job.ts'
import { sendWebhookNotice } from './features/people/webhooks/send-webhook-notice.job.ts'
import { purgeJobs } from './maintenance/purge-jobs.job.ts'
import { writeCreditsJob } from './features/library/scores/write-credits.job.ts'
import { notifyDueWork } from './features/teaching/agenda/notify-due-work.job.ts'
import { queueDigests } from './features/teaching/agenda/queue-digests.job.ts'
import { sendDigest } from './features/teaching/agenda/send-digest.job.ts'
import { purgeUploads } from './features/library/uploads/purge-uploads.job.ts'
import type { Job } from './platform/queue/job.ts'
import type { JobKind } from './platform/queue/kinds.ts'

/** The handler of each kind of job. */
export const handlers: { readonly [Kind in JobKind]: Job<Kind> } = {
  'count-recent': countRecent,
  'deliver-webhooks': deliverWebhooks,
  'delete-collections': deleteCollectionsJob,
  'delete-scores': deleteScoresJob,
  'delete-users': deleteUsersJob,
  'describe-link': describeLinkJob,
  'dispatch-events': dispatchNewEvents,
  'export-score': exportScoreJob,
  'purge-events': purgeEvents,
  'purge-invitations': purgeInvitations,
  'purge-jobs': purgeJobs,
  'purge-links': purgeLinks,
  'purge-notifications': purgeNotifications,
  'purge-requests': purgeRequests,
  'purge-sign-ins': purgeSignIns,
  'purge-tasks': purgeTasks,
  'purge-uploads': purgeUploads,
  'purge-views': purgeViews,
  'notify-due-work': notifyDueWork,
  'queue-digests': queueDigests,
  'import-score': importScoreJob,
  'publish-assignment': publishAssignmentJob,
  'retry-webhooks': retryWebhooks,
  'send-account-notice': sendAccountNotice,
  'send-digest': sendDigest,
  'send-email-verification': sendEmailVerification,
  'send-password-reset': sendPasswordReset,
  'send-webhook-notice': sendWebhookNotice,
  'ship-content': shipContentJob,
  'sweep-blobs': sweepBlobs,
  'write-credits': writeCreditsJob,
}
