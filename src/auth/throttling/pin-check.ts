import type { Credentials } from '../../features/people/users/store.ts'
import type { Candidates } from '../../features/people/users/accounts.ts'
import type { Context } from '../../context.ts'
import { networkOf } from '../../http/network.ts'
import { day } from '../../lib/durations.ts'
import {
  checkPasswordWithLimits,
  type ClientOrigin,
  maxSuccesses,
  type PasswordCheckResult,
  type PasswordLimits,
} from './password-check.ts'
import { trustedDeviceTokenOf } from './trusted-device-cookie.ts'

/**
 * Checks the PIN of a student on the sign-in page of a class. There are only 10,000 PINs, so the limits of failures are strict:
 * 5 within 15 minutes and 20 a day for each student, and 100 a day for all students of a class. A browser in which the student
 * signed in before counts its failures apart, so that nobody else can keep the student out there.
 * @param account the student, with the hash of the PIN
 */
export async function checkPin(
  ctx: Context,
  { account, schoolClass, pin }: { account: Credentials; schoolClass: string; pin: string },
  { ip, headers }: ClientOrigin,
): Promise<PasswordCheckResult> {
  const token = trustedDeviceTokenOf(ctx, headers, account.id)
  const [way, key] = token ? ['by', token] : ['to', account.id]
  const limits: PasswordLimits = {
    caller: token ? account.id : networkOf(ip),
    failures: [
      { key: ['pin', way, key], max: 5 },
      { key: ['pin', `${way}-day`, key], max: 20, windowMs: day },
      ...(token ? [] : [{ key: ['pin', 'class', schoolClass], max: 100, windowMs: day }]),
    ],
    successes: [{ key: ['pin', 'right', account.id], max: maxSuccesses }],
  }
  const candidates: Candidates = { accounts: [account], tries: 1 }
  return checkPasswordWithLimits(
    ctx,
    async () => limits,
    pin,
    async () => candidates,
  )
}
