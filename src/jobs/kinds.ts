import type { ScorePrivacy } from '../contract/scores.ts'

/** What of an account has changed, or is about to. */
export type AccountNotice =
  | 'passwordChanged'
  | 'emailAsked'
  | 'secondFactorAdded'
  | 'secondFactorRemoved'
  | 'secondFactorWrong'

/**
 * What each kind of job is told: ids, choices and names, never a file or a secret. Its handler has its line in
 * registry.ts; a kind without a handler does not compile.
 */
export interface JobPayloads {
  'delete-collections': Record<string, never>
  'delete-scores': Record<string, never>
  'delete-users': Record<string, never>
  'describe-link': { url: string }
  'export-score': {
    task: string
    format: 'mp3' | 'wav' | 'pdf'
    title: string
    parts?: readonly string[] | undefined
  }
  'forget-events': Record<string, never>
  'forget-exports': Record<string, never>
  'forget-jobs': Record<string, never>
  'forget-links': Record<string, never>
  'forget-requests': Record<string, never>
  'forget-sign-ins': Record<string, never>
  'forget-tasks': Record<string, never>
  'forget-views': Record<string, never>
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
  /** Of nobody where there is no such account. */
  'send-password-reset': { user: string | null; language: string }
  'ship-content': Record<string, never>
  'sweep-blobs': Record<string, never>
}

export type JobKind = keyof JobPayloads
