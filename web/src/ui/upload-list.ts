import type { ImportWarning } from '../../../src/contract/scores.ts'
import { sharedList } from './shared-list.ts'

/** A file on its way to the server. */
export interface Upload {
  readonly id: string
  readonly file: File
  /** The collection that receives the score; `root` for none. */
  readonly collection: string
  /** A paused upload goes on by itself. */
  readonly state: 'waiting' | 'sending' | 'paused' | 'importing' | 'done' | 'failed'
  /** How much of the file has been sent, in percent. */
  readonly percent: number
  /** How often it was paused. */
  readonly pauses: number
  readonly score?: { readonly id: string; readonly title: string }
  /** What was changed in the file so that it could be imported. */
  readonly warnings?: readonly ImportWarning[]
  readonly error?: unknown
}

/** The uploads since the user last closed the list of them. */
export const uploadList = sharedList<Upload>()
