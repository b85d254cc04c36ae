import type { ScorePrivacy } from '../../contract/scores.ts'
import type { TaskExportFormat } from '../../contract/tasks.ts'

/** The event of an account that a notice reports. */
export type AccountNotice =
  | 'passwordChanged'
  | 'emailAsked'
  | 'secondFactorAdded'
  | 'secondFactorRemoved'
  | 'secondFactorWrong'

/**
 * The payload of each kind of job: ids, options and names, never a file or a secret. A job is deleted with the account that
 * the field `user` of its payload names. The handlers are listed in src/jobs.ts; a kind without a handler does not compile.
 */
export interface JobPayloads {
  'delete-collections': Record<string, never>
  'delete-scores': Record<string, never>
  'delete-users': Record<string, never>
  'describe-link': { url: string }
  'export-score': {
    task: string
    format: TaskExportFormat
    title: string
    parts?: readonly string[] | undefined
  }
  'purge-events': Record<string, never>
  'purge-exports': Record<string, never>
  'purge-jobs': Record<string, never>
  'purge-links': Record<string, never>
  'purge-requests': Record<string, never>
  'purge-sign-ins': Record<string, never>
  'purge-tasks': Record<string, never>
  'purge-views': Record<string, never>
  'import-score': {
    task: string
    app?: string | undefined
    title?: string | undefined
    privacy: ScorePrivacy
    collection?: string | undefined
    filename?: string | undefined
  }
  'publish-assignment': { assignment: string }
  'send-account-notice': { user: string; notice: AccountNotice; language: string }
  'send-email-verification': { user: string; language: string }
  /** `user` is null if the account does not exist. The job then does nothing. */
  'send-password-reset': { user: string | null; language: string }
  'ship-content': Record<string, never>
  'sweep-blobs': Record<string, never>
}

export type JobKind = keyof JobPayloads
