import type { ErrorCode } from '../errors.ts'

/** What a process counts while it works. Every method only changes numbers in memory. */
export interface Metrics {
  /** @param operation the id of an operation or another name of a fixed list, never a part of an address */
  countRequest(operation: string, status: number, seconds: number): void
  /** Counts an error response. */
  countError(code: ErrorCode): void
  countFailedSignIn(step: SignInStep): void
  /** Counts a group of transactions that had one COMMIT. */
  countGroup(transactions: number): void
}

export type SignInStep = 'password' | 'second-factor' | 'passkey'

/** For processes that nobody observes. */
export const noMetrics: Metrics = {
  countRequest() {},
  countError() {},
  countFailedSignIn() {},
  countGroup() {},
}
