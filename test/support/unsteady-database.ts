import type { Database } from '../../src/db/database.ts'

/** The same database, which takes no writes from when it is told why until it is told that it works again. */
export interface UnsteadyDatabase extends Database {
  fail(reason: Error): void
  work(): void
}

export function unsteady(db: Database): UnsteadyDatabase {
  let reason: Error | undefined
  return {
    ...db,
    transaction: (work) => (reason ? Promise.reject(reason) : db.transaction(work)),
    fail(given) {
      reason = given
    },
    work() {
      reason = undefined
    },
  }
}
