import type { ScorePrivacy } from '../../contract/scores.ts'
import type { TaskExportFormat } from '../../contract/tasks.ts'
import type { Lane } from './lanes.ts'

/** The event of an account that a notice reports. */
export type AccountNotice =
  | 'passwordChanged'
  | 'passwordSet'
  | 'studentPasswordSet'
  | 'emailAsked'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeyCopied'
  | 'secondFactorAdded'
  | 'secondFactorRemoved'
  | 'secondFactorWrong'

/**
 * The payload of each kind of job: ids, options and names, never a file or a secret. The field `user` names the account whose
 * turn the job takes in its lane, and with which it is deleted. The handlers are listed in src/jobs.ts; a kind without a handler
 * does not compile.
 */
export interface JobPayloads {
  'count-recent': Record<string, never>
  'deliver-webhooks': { endpoint: string }
  'delete-collections': Record<string, never>
  'delete-scores': Record<string, never>
  'delete-users': Record<string, never>
  'describe-link': { user: string; url: string }
  'dispatch-events': Record<string, never>
  'export-score': {
    user: string
    task: string
    format: TaskExportFormat
    title: string
    parts?: readonly string[] | undefined
    paper?: 'a4' | 'letter' | undefined
    staffSize?: number | undefined
    pitches?:
      | {
          readonly transpose?: { readonly semitones: number; readonly steps?: number | undefined } | undefined
          readonly concertPitch?: boolean | undefined
        }
      | undefined
    chordSymbols?: boolean | undefined
  }
  'purge-events': Record<string, never>
  'purge-invitations': Record<string, never>
  'purge-jobs': Record<string, never>
  'purge-links': Record<string, never>
  'purge-notifications': Record<string, never>
  'purge-requests': Record<string, never>
  'purge-sign-ins': Record<string, never>
  'purge-tasks': Record<string, never>
  'purge-uploads': Record<string, never>
  'purge-views': Record<string, never>
  'notify-due-work': Record<string, never>
  'queue-digests': Record<string, never>
  'import-score': {
    user: string
    task: string
    app?: string | undefined
    title?: string | undefined
    privacy: ScorePrivacy
    collection?: string | undefined
    filename?: string | undefined
  }
  'publish-assignment': { assignment: string }
  'retry-webhooks': { endpoint: string }
  /** `by` is the account that caused the event, if it is not `user`; `student` the account that it is about. */
  'send-account-notice': {
    user: string
    notice: AccountNotice
    language: string
    by?: string
    student?: string
  }
  'send-digest': { user: string }
  'send-email-verification': { user: string; language: string }
  /**
   * `user` is null if the account does not exist. The job then does nothing.
   * `isTrustedDevice` is whether the user has signed in before in the browser that requests the mail.
   */
  'send-password-reset': { user: string | null; language: string; isTrustedDevice: boolean; by?: string }
  'send-webhook-notice': { user: string; endpoint: string }
  'ship-content': Record<string, never>
  'sweep-blobs': Record<string, never>
  'write-credits': { user: string; score: string }
}

export type JobKind = keyof JobPayloads

/** The lane of each kind of job. */
export const laneOfKind: { readonly [Kind in JobKind]: Lane } = {
  'count-recent': 'maintenance',
  'deliver-webhooks': 'webhooks',
  'delete-collections': 'deletion',
  'delete-scores': 'deletion',
  'delete-users': 'deletion',
  'describe-link': 'interactive',
  'dispatch-events': 'webhooks',
  'export-score': 'export',
  'purge-events': 'maintenance',
  'purge-invitations': 'maintenance',
  'purge-jobs': 'maintenance',
  'purge-links': 'maintenance',
  'purge-notifications': 'maintenance',
  'purge-requests': 'maintenance',
  'purge-sign-ins': 'maintenance',
  'purge-tasks': 'maintenance',
  'purge-uploads': 'maintenance',
  'purge-views': 'maintenance',
  'notify-due-work': 'maintenance',
  'queue-digests': 'maintenance',
  'import-score': 'import',
  'publish-assignment': 'interactive',
  'retry-webhooks': 'webhook-retries',
  'send-account-notice': 'mail',
  'send-digest': 'digest',
  'send-email-verification': 'mail',
  'send-password-reset': 'mail',
  'send-webhook-notice': 'mail',
  'ship-content': 'maintenance',
  'sweep-blobs': 'maintenance',
  'write-credits': 'interactive',
}
