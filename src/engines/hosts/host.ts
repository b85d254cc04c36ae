import type { ErrorCode } from '../../errors.ts'

/** A process or thread that runs one job after another outside of the server. */
export interface Host {
  /** Sends a job to an idle host. */
  send(job: unknown): void
  /** Ends the host immediately, even during a job. Does not call `onEnd`. */
  kill(): void
  /** Whether the host keeps the server's process alive. */
  hold(isHeld: boolean): void
  /** Defined for a process. */
  readonly pid: number | undefined
}

export interface HostEvents {
  onMessage(message: HostMessage): void
  /** Called when the host ends without `kill`. */
  onEnd(error: HostError): void
}

/** Starts a host. The host sends `ready` when it can take jobs. */
export type StartHost = (events: HostEvents) => Host

/** Bytes of a file that a host sends while it makes the file. */
export interface FilePart {
  /** The place of the first byte in the file. */
  readonly offset: number
  readonly bytes: Uint8Array
}

/** A message from a host to the pool. */
export type HostMessage =
  | { kind: 'ready' }
  | { kind: 'progress'; percent: number }
  /** The next bytes of a file, which begin at `offset`. */
  | ({ kind: 'part' } & FilePart)
  /** `memory` is the resident memory in bytes, or 0 for a thread. */
  | { kind: 'answer'; answer: unknown; memory: number }
  /** The input has a mistake. The host can take the next job. */
  | { kind: 'failure'; code: ErrorCode; param: string | undefined; message: string; memory: number }
  /** An unexpected error, as `traceOf` describes it. The pool replaces the host. */
  | { kind: 'error'; message: string }

/**
 * A host failed during a job: it threw an unexpected error, crashed, or exceeded its memory limit. For the
 * log.
 */
export class HostError extends Error {
  override readonly name = 'HostError'
  readonly isOutOfMemory: boolean

  /** @param message without the text of a score, because it is logged */
  constructor(
    message: string,
    { isOutOfMemory = false, cause }: { isOutOfMemory?: boolean; cause?: Error | undefined } = {},
  ) {
    super(message, { cause })
    this.isOutOfMemory = isOutOfMemory
  }
}
