import type { LatePolicy } from '../../../../src/contract/late-policy.ts'

const day = 86_400_000

/** Returns by how many days work is late. A day that has begun counts. */
export const daysLate = (due: number, handedIn: number): number =>
  Math.max(0, Math.ceil((handedIn - due) / day))

/** Returns the percentage that the policy takes off work, from 0 to 100. Times are milliseconds since 1970. */
export function percentOff(
  { percentPerDay = 0, minimumPercent = 0 }: LatePolicy,
  due: number,
  handedIn: number,
): number {
  return Math.min(daysLate(due, handedIn) * percentPerDay, 100 - minimumPercent)
}
