import type { ErrorCode } from '../errors.ts'

/** What the server's process tells an engine's process: one job at a time. */
export interface JobMessage {
  job: unknown
}

/** What an engine's process tells the server's; `rss` is its resident memory in bytes. */
export type EngineMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; percent: number }
  | { kind: 'answer'; answer: unknown; rss: number }
  /** The input is at fault; the engine is as good as before. */
  | { kind: 'failure'; code: ErrorCode; param: string | undefined; message: string; rss: number }
  /** Something went wrong inside; the engine is not trusted any more. */
  | { kind: 'error'; message: string }

/** How an engine's process ends itself when it has grown over its limit, so that this can be told from a crash. */
export const overMemorySignal = 'SIGTERM'
