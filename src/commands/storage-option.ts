import { InvalidArgumentError } from 'commander'
import type { StorageUse } from '../contract/account.ts'
import { formatBytes, parseBytes } from '../lib/byte-size.ts'

/** The help of the option `--max-storage`. */
export const storageHelp = 'Storage quota, such as 500MiB or 2GiB; "unlimited" or "default"'

/** The value of the option `--max-storage`. */
export type StorageLimit = number | 'unlimited' | 'default'

/** Reads the option `--max-storage`. */
export function readStorage(text: string): StorageLimit {
  if (text === 'unlimited' || text === 'default') return text
  const bytes = parseBytes(text)
  if (!bytes) throw new InvalidArgumentError('Expected a size such as 2GiB, "unlimited" or "default".')
  return bytes
}

/** Returns the value of the column `max_storage`. */
export const storageLimitOf = (limit: StorageLimit): number | null =>
  limit === 'unlimited' ? 0 : limit === 'default' ? null : limit

/** Describes the storage of an account or an organization. */
export const storageSentence = ({ used, allowed }: StorageUse): string =>
  allowed === null
    ? `It uses ${formatBytes(used)} and has no storage quota.`
    : `It uses ${formatBytes(used)} of ${formatBytes(allowed)}.`
