import type { ErrorCode } from '../errors.ts'

/** Something that runs apart from the server and does one job after another: a process or a thread. */
export interface Host {
  /** Gives it a job. It has none. */
  send(job: unknown): void
  /** Ends it at once, whatever it is doing; `onEnd` is not called for that. */
  kill(): void
  /** Whether the server's process stays alive for it. */
  hold(isHeld: boolean): void
  /** Of a process. */
  readonly pid: number | undefined
}

export interface HostEvents {
  onMessage(message: HostMessage): void
  /** It has ended by itself. */
  onEnd(error: HostError): void
}

/** Starts a host; it sends `ready` when it can be given jobs. */
export type StartHost = (events: HostEvents) => Host

/** What a host says. */
export type HostMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; percent: number }
  /** `memory` is what it has resident, in bytes; 0 where nobody needs to know. */
  | { kind: 'answer'; answer: unknown; memory: number }
  /** The input is at fault; the host is as good as before. */
  | { kind: 'failure'; code: ErrorCode; param: string | undefined; message: string; memory: number }
  /** Something went wrong inside; the host is not trusted any more. */
  | { kind: 'error'; message: string }

/** A host broke on a job: it threw something unexpected, died, or grew over its memory limit. For the log. */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly isOutOfMemory: boolean

  constructor(message: string, { isOutOfMemory = false } = {}) {
    super(message)
    this.isOutOfMemory = isOutOfMemory
  }
}
