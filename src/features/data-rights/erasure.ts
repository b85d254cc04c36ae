import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { deleteAppsNobodyUses } from '../apps/store.ts'
import { passAssignmentsOn } from '../assignments/passing-on.ts'
import { audit } from '../audit/audit.ts'
import { passClassesOn } from '../classes/places.ts'
import { deleteCollectionsOf } from '../collections/store.ts'
import { deleteLibraryOf, passResourcesOn } from '../edu-resources/passing.ts'
import { deleteMemberships } from '../groups/store.ts'
import { deleteInvitationsOf } from '../organizations/invitations.ts'
import { checkIsNotLastAdministrator, findHeir } from '../organizations/roles.ts'
import { deleteMentionsOf } from '../score-comments/mentions.ts'
import { deleteCommentsOf } from '../score-comments/store.ts'
import { deleteTracksOf } from '../score-tracks/store.ts'
import { deleteGrantsOfUser, deleteInvitationsTo } from '../scores/grants.ts'
import { deleteLikesOf } from '../scores/likes.ts'
import { deleteSomeScoresOf } from '../scores/store.ts'
import { endSignIns } from '../sessions/ending.ts'
import { deleteMailJobsOf } from '../sessions/store.ts'
import { deleteWorkOf } from '../submissions/removal.ts'
import { deleteTasksOf } from '../tasks/store.ts'
import {
  deleteUser,
  findAccount,
  findDueUser,
  forgetRemovalsBy,
  listUsersByEmail,
  partitaAccount,
  updateRemoval,
} from '../users/store.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

/**
 * Removes an account, if nobody has yet, and deletes it for good at once, with what docs/data-rights.md says goes with it.
 * @throws LAST_ADMINISTRATOR while nobody else could take over; USER_NOT_FOUND for the account of the shipped library
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
    await endSignIns(tx, id)
  })
  ctx.actors.forget()
  await deleteAccount(ctx, id)
}

/** Deletes a removed account whose time is over; one that was brought back meanwhile stays. */
export async function deleteAccount(ctx: Context, id: string): Promise<void> {
  const ifDue = (work: (tx: Transaction, account: Account) => Promise<void>) =>
    ctx.transaction(async (tx) => {
      const account = (await findDueUser(tx, { id, now: ctx.clock.now() })) && (await findAccount(tx, id))
      if (account) await work(tx, account)
    })

  await ifDue((tx, account) => handOver(ctx, tx, account))
  // A few in each transaction, so that none is long: once due, an account cannot be restored.
  let hasMore = true
  const some = () =>
    ifDue(async (tx) => {
      hasMore = (await deleteSomeScoresOf(tx, id)) > 0
    })
  while (hasMore) {
    hasMore = false
    await some()
  }
  await deleteMentionsOf(ctx, id)
  await ifDue((tx, account) => deleteRest(ctx, tx, account))
}

/** What stays with others gets another owner, and what was only worked on for them goes. */
async function handOver(ctx: Context, tx: Transaction, account: Account): Promise<void> {
  const { id, organization_id: organization, removed_by: by } = account
  if (organization) {
    const heir = () => findHeir(tx, organization, { of: id, by })
    await passClassesOn(ctx, tx, { user: id, by: null }, heir)
    await passResourcesOn(tx, { user: id, organization }, heir)
  }
  await passAssignmentsOn(tx, id)
  await deleteWorkOf(ctx, tx, id)
  await deleteLibraryOf(tx, id)
}

async function deleteRest(ctx: Context, tx: Transaction, account: Account): Promise<void> {
  const { id, organization_id: organization } = account
  await deleteMemberships(tx, id)
  await deleteLikesOf(tx, id)
  await deleteCommentsOf(tx, id)
  await deleteGrantsOfUser(tx, id)
  await deleteTracksOf(tx, id)
  await deleteTasksOf(tx, id)
  await deleteCollectionsOf(tx, id)
  await deleteAppsNobodyUses(tx, id, ctx.clock.now())
  await endSignIns(tx, id)
  await deleteMailJobsOf(tx, id)
  const within = await addressIsKnownIn(tx, account)
  await deleteInvitationsOf(tx, id, within && { emailKey: within.emailKey, organization: within.organization })
  if (within) await deleteInvitationsTo(tx, within)
  await forgetRemovalsBy(tx, id)
  await audit(tx, ctx, { organization, actor: null, action: 'user.deleted', subject: id })
  await deleteUser(tx, id)
}

/**
 * Where an address counts as the person's, so that what waits there for it goes too: everywhere where a mail has shown that
 * it is theirs, else where the organization has said so. Undefined where somebody else has the same one.
 * @returns the organization; undefined for all
 */
async function addressIsKnownIn(
  tx: Transaction,
  account: Account,
): Promise<{ emailKey: string; organization: string | undefined } | undefined> {
  const { email_key: emailKey, email_verified, email_vouched, organization_id } = account
  if (!emailKey || (await listUsersByEmail(tx, emailKey)).some(({ id }) => id !== account.id)) return undefined
  if (email_verified === 1) return { emailKey, organization: undefined }
  return email_vouched === 1 && organization_id !== null ? { emailKey, organization: organization_id } : undefined
}
