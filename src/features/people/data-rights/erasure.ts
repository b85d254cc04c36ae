import type { Context } from '../../../context.ts'
import type { Erasure, Phase } from '../../../departure.ts'
import { fail } from '../../../errors.ts'
import { once } from '../../../lib/once.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { audit } from '../audit/audit.ts'
import { batchedSteps, runSteps } from '../departures/registry.ts'
import { checkIsNotLastAdministrator, findSuccessor } from '../organizations/roles.ts'
import { findAccount, findDueUser, listUsersByEmail, partitaAccount, updateRemoval } from '../users/store.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/**
 * Removes an account, unless it is removed already, and deletes it immediately. docs/data-rights.md lists
 * what is deleted with it.
 * @throws LAST_ADMINISTRATOR if no other administrator could take over; USER_NOT_FOUND for the account of the
 *   shipped library
 */
export async function eraseAccount(ctx: Context, { id }: Pick<Account, 'id'>): Promise<void> {
  await ctx.transaction(async (tx) => {
    const account = await findAccount(tx, id)
    if (!account || id === partitaAccount) fail('USER_NOT_FOUND')
    const { organization_id: organization, deletion_at, removed_by } = account
    if (deletion_at === null) {
      if (organization) await checkIsNotLastAdministrator(tx, organization, account)
      await audit(tx, ctx, { organization, actor: null, action: 'user.removed', subject: id })
    }
    await updateRemoval(tx, id, { deletion_at: ctx.clock.now(), removed_by })
    await runSteps('onMemberRemoved', ctx, tx, { user: id })
  })
  await deleteAccount(ctx, id)
}

/**
 * Deletes a removed account after its retention period. Does nothing if the account was restored in the
 * meantime.
 */
export async function deleteAccount(ctx: Context, id: string): Promise<void> {
  const ifDue = (work: (tx: Transaction, account: Account) => Promise<void>) =>
    ctx.transaction(async (tx) => {
      const account = (await findDueUser(tx, { id, now: ctx.clock.now() })) && (await findAccount(tx, id))
      if (account) await work(tx, account)
    })

  const erase = (...phases: Phase[]) =>
    ifDue(async (tx, account) => {
      await runSteps('erase', ctx, tx, await erasureOf(tx, account), phases)
      if (phases.includes('finish')) await auditDeletion(ctx, tx, account)
    })

  await erase('transfer', 'withdraw')
  // Many short transactions instead of a long one. An account cannot be restored once its time is over.
  for (const step of batchedSteps()) await step(ctx, id, ifDue)
  await erase('finish')
}

async function erasureOf(tx: Transaction, account: Account): Promise<Erasure> {
  const { id: user, organization_id: organization, removed_by: by } = account
  return {
    user,
    organization,
    by: null,
    successor: once(() => findSuccessor(tx, organization ?? '', { of: user, by })),
    address: await findOwnAddress(tx, account),
  }
}

async function auditDeletion(ctx: Context, tx: Transaction, { id, organization_id }: Account): Promise<void> {
  await audit(tx, ctx, { organization: organization_id, actor: null, action: 'user.deleted', subject: id })
}

/**
 * Returns the address of an account if it counts as the user's, so that pending invitations to it are deleted
 * as well. A verified address counts everywhere, an address that the organization vouches for counts in that
 * organization. An address that another account shares does not count.
 * @returns `organization` is undefined if the address counts everywhere
 */
async function findOwnAddress(
  tx: Transaction,
  account: Account,
): Promise<{ emailKey: string; organization: string | undefined } | undefined> {
  const { email_key: emailKey, email_verified, email_vouched, organization_id } = account
  if (!emailKey || (await listUsersByEmail(tx, emailKey)).some(({ id }) => id !== account.id))
    return undefined
  if (email_verified === 1) return { emailKey, organization: undefined }
  return email_vouched === 1 && organization_id !== null
    ? { emailKey, organization: organization_id }
    : undefined
}
