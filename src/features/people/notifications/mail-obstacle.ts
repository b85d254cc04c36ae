import type { MailObstacle } from '../../../contract/notifications.ts'
import type { UserRow } from '../users/store.ts'

/**
 * Why an account gets no mails about notifications. An address counts if its user has confirmed it or an administrator supplied it:
 * anybody can give the address of another person to an account.
 */
export function mailObstacleOf({
  email,
  email_verified,
  email_vouched,
}: Pick<UserRow, 'email' | 'email_verified' | 'email_vouched'>): Exclude<
  MailObstacle,
  'no mail server'
> | null {
  if (email === null) return 'no address'
  return email_verified === 1 || email_vouched === 1 ? null : 'address not confirmed'
}
