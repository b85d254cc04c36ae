import type { StorageUse } from '../../../contract/account.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { OrganizationsTable, UsersTable } from '../../../platform/db/people-tables.ts'
import type { ErrorCode } from '../../../errors.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { day } from '../../../lib/durations.ts'
import { addToHourlySum, emptyHourlySum, type HourlySum, totalOf } from '../../../lib/hourly-sum.ts'
import { formatBytes } from '../../../lib/byte-size.ts'
import {
  addToAccount,
  addToOrganization,
  findAccountBytes,
  findOrganizationBytes,
  findUse,
  type StoredQuotas,
  type StoredUse,
  updateDeleted,
  updateSavedForOthers,
} from './store.ts'

type ConfigContext = Pick<Context, 'config'>
type ClockContext = Pick<Context, 'clock'>

/** The time after which the sweep has deleted the files of deleted rows, in milliseconds. */
const sweepTime = 2 * day

/**
 * An organization counts each member in whole MiB, rounded up. Its row is therefore written once in a MiB, and servers
 * that save small files of different members at the same time do not conflict.
 */
const organizationUnit = 1024 * 1024

const inOrganization = (bytes: number): number => Math.ceil(bytes / organizationUnit) * organizationUnit

const allowedBytes = (own: number | null, byDefault: number): number | null => (own ?? byDefault) || null

/** The part of the own quota that an account can save in a day in what others own. */
const partForOthers = 1 / 10

/**
 * Counts bytes that the transaction stores for an account.
 * @param by the account that saves them, which has a limit of its own if it is another one
 * @throws ACCOUNT_STORAGE_EXHAUSTED, ORGANIZATION_STORAGE_EXHAUSTED
 */
export async function addStoredBytes(
  ctx: ConfigContext & ClockContext,
  tx: Transaction,
  user: string,
  bytes: number,
  by: string = user,
): Promise<void> {
  const use = await changeStoredBytes(tx, user, bytes)
  checkAccount(ctx, bytes, use)
  if (by !== user) {
    const saver = await changeStoredBytes(tx, by, 0)
    checkSavedForOthers(ctx, await addSavedForOthers(ctx, tx, by, bytes, saver.savedForOthers), saver, use)
  }
  checkOrganization(ctx, bytes, use)
}

/** Counts bytes like `addStoredBytes`, of a change that `checkStorage` has allowed. */
export async function addCheckedBytes(
  ctx: ClockContext,
  tx: Transaction,
  user: string,
  bytes: number,
  by: string = user,
): Promise<void> {
  await changeStoredBytes(tx, user, bytes)
  if (by === user) return
  const [saver] = await findUse(tx, { user: by })
  // The account was erased meanwhile.
  if (!saver) return
  const { savedForOthers } = await changeStoredBytes(tx, by, 0)
  await addSavedForOthers(ctx, tx, by, bytes, savedForOthers)
}

/**
 * Checks that an account can store anything more, for a change that stores something later: the size is not known yet.
 * @param by the account that saves it, with the result of `findUse`, which callers send together with their first query
 * @throws ACCOUNT_STORAGE_EXHAUSTED, ORGANIZATION_STORAGE_EXHAUSTED
 */
export async function checkStorage(
  ctx: ConfigContext & ClockContext,
  queries: Queries,
  user: string,
  by: { id: string; use: StoredUse | undefined },
): Promise<void> {
  const [owner] = by.id === user ? [by.use] : await findUse(queries, { user })
  if (!owner || !by.use) return
  const use = useAfter(owner, 1)
  checkAccount(ctx, 1, use)
  if (by.id !== user) {
    const { savedForOthers, quotas } = useAfter(by.use, 0)
    const window = { now: ctx.clock.now(), windowMs: day }
    checkSavedForOthers(ctx, addToHourlySum(savedForOthers, 1, window), { quotas }, use)
  }
  checkOrganization(ctx, 1, use)
}

/** What an account and its organization use. */
type Use = Awaited<ReturnType<typeof changeStoredBytes>>

/** Returns what an account would use with more bytes. */
function useAfter(
  { bytes, deleted, saved_for_others, organization_bytes, ...quotas }: StoredUse,
  more: number,
): Use {
  const account = (bytes ?? 0) + more
  const moreInOrganization = inOrganization(account) - inOrganization(account - more)
  return {
    account,
    deleted: deleted ?? emptyHourlySum,
    savedForOthers: saved_for_others ?? emptyHourlySum,
    // Also if it stays the same: the organization may be above its quota already.
    organization:
      quotas.organization_id === null ? undefined : (organization_bytes ?? 0) + moreInOrganization,
    moreInOrganization,
    quotas,
  }
}

/** @param bytes the bytes that were asked for, which are included in the use */
function checkAccount(
  { config, clock }: ConfigContext & ClockContext,
  bytes: number,
  { account: used, deleted, quotas }: Use,
): void {
  const allowed = allowedBytes(quotas.max_storage, config.accountStorage)
  checkQuota('ACCOUNT_STORAGE_EXHAUSTED', 'account', bytes, { before: used - bytes, used, allowed })
  const deletedBytes = totalOf(deleted, { now: clock.now(), windowMs: sweepTime })
  if (allowed !== null && used + deletedBytes > 2 * allowed) {
    fail('ACCOUNT_STORAGE_EXHAUSTED', {
      message: `The account has deleted ${formatBytes(deletedBytes)}, which the disk keeps for two days. Try again later.`,
    })
  }
}

/** @param bytes the bytes that were asked for, which are included in the use */
function checkOrganization(
  { config }: ConfigContext,
  bytes: number,
  { organization: used, moreInOrganization, quotas }: Use,
): void {
  if (used === undefined) return
  const allowed = allowedBytes(quotas.organization_max_storage, config.organizationStorage)
  const before = used - moreInOrganization
  checkQuota('ORGANIZATION_STORAGE_EXHAUSTED', 'organization', bytes, { before, used, allowed })
}

/**
 * Counts bytes that an account saves in what another account owns.
 * @param before the sum before
 * @returns the sum with them
 */
async function addSavedForOthers(
  { clock }: ClockContext,
  tx: Transaction,
  user: string,
  bytes: number,
  before: HourlySum,
): Promise<HourlySum> {
  const saved = addToHourlySum(before, bytes, { now: clock.now(), windowMs: day })
  await updateSavedForOthers(tx, { user, saved })
  return saved
}

/**
 * Checks what an account saved in what another account owns. Otherwise one user with the right to write could fill the quota of the
 * owner at once. If the account has no quota, that of the owner counts.
 * @throws ACCOUNT_STORAGE_EXHAUSTED
 */
function checkSavedForOthers(
  { config, clock }: ConfigContext & ClockContext,
  saved: HourlySum,
  saver: Pick<Use, 'quotas'>,
  owner: Pick<Use, 'quotas'>,
): void {
  const quota =
    allowedBytes(saver.quotas.max_storage, config.accountStorage) ??
    allowedBytes(owner.quotas.max_storage, config.accountStorage)
  if (quota === null || totalOf(saved, { now: clock.now(), windowMs: day }) <= quota * partForOthers) return
  fail('ACCOUNT_STORAGE_EXHAUSTED', {
    message: `An account can save ${formatBytes(quota * partForOthers)} a day in scores of others. Try again later.`,
  })
}

/** @param use the use with the bytes that were asked for, and before */
function checkQuota(
  code: ErrorCode,
  holder: string,
  bytes: number,
  { before, used, allowed }: StorageUse & { before: number },
): void {
  if (allowed === null || used <= allowed) return
  fail(code, {
    message: `The ${holder} uses ${formatBytes(before)} of ${formatBytes(allowed)}. The request needs ${formatBytes(bytes)} more.`,
  })
}

/**
 * Releases bytes that an account has deleted. The disk keeps them until the sweep. An account can therefore not store again
 * and again what it deletes: with its deletions of two days, it has at most twice its quota.
 */
export async function releaseStoredBytes(
  { clock }: ClockContext,
  tx: Transaction,
  user: string,
  bytes: number,
): Promise<void> {
  const { deleted } = await changeStoredBytes(tx, user, -bytes)
  const window = { now: clock.now(), windowMs: sweepTime }
  await updateDeleted(tx, { user, deleted: addToHourlySum(deleted, bytes, window) })
}

/**
 * Changes the stored bytes of an account without a check, such as when it receives what another account leaves behind.
 * @returns the new numbers; `organization` is undefined if its number stays the same
 */
export async function changeStoredBytes(tx: Transaction, user: string, more: number) {
  const [stored] = await addToAccount(tx, { user, more })
  if (!stored?.quotas) throw new Error(`There is no account ${user}`)
  const [organization_id, max_storage, organization_max_storage] = JSON.parse(stored.quotas) as StoredQuotas
  const quotas = { organization_id, max_storage, organization_max_storage }
  const account = stored.bytes
  const moreInOrganization = inOrganization(account) - inOrganization(account - more)
  const { organization_id: organization } = quotas
  const [total] =
    organization !== null && moreInOrganization !== 0
      ? await addToOrganization(tx, { organization, more: moreInOrganization })
      : []
  return {
    account,
    deleted: stored.deleted,
    savedForOthers: stored.saved_for_others,
    organization: total?.bytes,
    moreInOrganization,
    quotas,
  }
}

/** Counts what an account has stored for an organization that it joins, and no longer if it leaves it. */
export async function changeOrganization(
  tx: Transaction,
  user: string,
  { organization, joins }: { organization: string; joins: boolean },
): Promise<void> {
  const bytes = inOrganization(await findAccountBytes(tx, user))
  if (bytes !== 0) await addToOrganization(tx, { organization, more: joins ? bytes : -bytes })
}

export async function storageOfAccount(
  { config }: ConfigContext,
  queries: Queries,
  { id, max_storage }: Pick<UsersTable, 'id' | 'max_storage'>,
): Promise<StorageUse> {
  return {
    used: await findAccountBytes(queries, id),
    allowed: allowedBytes(max_storage, config.accountStorage),
  }
}

export async function storageOfOrganization(
  { config }: ConfigContext,
  queries: Queries,
  { id, max_storage }: Pick<OrganizationsTable, 'id' | 'max_storage'>,
): Promise<StorageUse> {
  return {
    used: await findOrganizationBytes(queries, id),
    allowed: allowedBytes(max_storage, config.organizationStorage),
  }
}
