import type { Database } from '../../src/platform/db/database.ts'

/** A database whose transactions fail with `reason` after `fail`, until `work` is called. */
export interface FailingDatabase extends Database {
  fail(reason: Error): void
  work(): void
}

export function failingDatabase(db: Database): FailingDatabase {
  let reason: Error | undefined
  return {
    ...db,
    transaction: (work) => (reason ? Promise.reject(reason) : db.transaction(work)),
    fail(failure) {
      reason = failure
    },
    work() {
      reason = undefined
    },
  }
}
