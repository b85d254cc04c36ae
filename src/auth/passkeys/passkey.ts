import type { Passkey } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { dateTime } from '../../lib/date-time.ts'
import type { PasskeysTable } from '../../platform/db/sign-in-tables.ts'

/** The maximum number of passkeys of one account. */
export const maxPasskeys = 20

/** @throws INVALID_PARAMETER for an empty name */
export function passkeyNameOf(body: { name: string }): string {
  const name = body.name.trim()
  if (name === '') fail('INVALID_PARAMETER', { param: 'name', message: '`name` is empty.' })
  return name
}

export const presentPasskey = ({
  id,
  name,
  created_at,
  last_used_at,
  is_synced,
}: PasskeysTable): Passkey => ({
  id,
  name,
  createdAt: dateTime(created_at),
  lastUsedAt: last_used_at === null ? null : dateTime(last_used_at),
  isSynced: is_synced === 1,
})
