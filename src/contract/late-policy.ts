/** What happens to work that is handed in after the due date. Without a field, it is accepted at any time, and nothing is taken off. */
export interface LatePolicy {
  /** The days after the due date in which work is still accepted. 0 accepts no late work. */
  readonly acceptDays?: number
  /** The percentage of the points that each day, also one that has only begun, takes off. */
  readonly percentPerDay?: number
  /** The percentage of the points that remains, however late the work is. */
  readonly minimumPercent?: number
}

const day = 86_400_000

/** Returns the time in milliseconds since 1970 until which work is accepted. Undefined if there is no end. */
export const acceptedUntil = (due: number, { acceptDays }: LatePolicy): number | undefined =>
  acceptDays === undefined ? undefined : due + acceptDays * day
