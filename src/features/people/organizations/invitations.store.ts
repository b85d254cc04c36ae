import type { OrganizationInvitation } from '../../../contract/organizations.ts'
import type { OrganizationRole } from '../../../contract/users.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import type { InvitationsTable } from '../../../platform/db/people-tables.ts'
import { newCode } from '../../../lib/codes.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import type { PageCursors } from '../../../answer.ts'
import { canManageRole, isAdministratorRole, type Member, rankOf } from './policy.ts'

/** A code has ten of 31 letters and digits, so that it cannot be guessed. */
const codeLength = 10

const insertRow = insertion('invitations', { orIgnore: true })

/** Stores a new invitation with a unique code. */
export async function saveInvitation(
  tx: Transaction,
  invitation: Omit<InvitationsTable, 'code'>,
  makeCode = () => newCode(codeLength),
): Promise<InvitationsTable> {
  for (;;) {
    const row = { ...invitation, code: makeCode() }
    if ((await insertRow(tx, row)) > 0) return row
  }
}

/** Finds an invitation of an organization. */
export async function findInvitation(
  queries: Queries,
  by: { organization: string; id: string },
): Promise<InvitationsTable | undefined> {
  return queries
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', by.id)
    .where('organization_id', '=', by.organization)
    .executeTakeFirst()
}

/** An invitation with what decides whether it is valid. */
export type InvitationByCode = NonNullable<Awaited<ReturnType<typeof findInvitationByCode>>>

/** Finds an invitation by its code, even if it is not valid any more. */
export async function findInvitationByCode(queries: Queries, code: string) {
  return queries
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .leftJoin('users as creators', (join) =>
      join
        .onRef('creators.id', '=', 'invitations.invited_by')
        .onRef('creators.organization_id', '=', 'invitations.organization_id')
        .on('creators.deletion_at', 'is', null),
    )
    .selectAll('invitations')
    .select(['organizations.name as organization_name', 'organizations.requires_provider'])
    .select(['organizations.allows_sign_up_by_code', 'organizations.min_password_length'])
    .select('creators.organization_role as creators_role')
    .where('code', '=', code)
    .executeTakeFirst()
}

/** Whether a visitor with the code can create an account, which has a password. */
export const allowsSignUp = (invitation: InvitationByCode): boolean =>
  invitation.allows_sign_up_by_code === 1 && invitation.requires_provider === 0

/** Whether an invitation can be used: it is neither expired nor used up, and its creator could still create it. */
export function isOpen(
  { allows_multiple_use, expires_at, used_at, creators_role, role }: InvitationByCode,
  now: number,
): boolean {
  const isUnused = allows_multiple_use === 1 || used_at === null
  return isUnused && expires_at > now && canStillGive(creators_role, role)
}

const canStillGive = (creator: OrganizationRole | null, role: OrganizationRole): boolean =>
  creator !== null && isAdministratorRole(creator) && rankOf(creator) >= rankOf(role)

/** Counts the invitations of an organization that can be used. */
export async function countOpenInvitations(
  queries: Queries,
  organization: string,
  now: number,
): Promise<number> {
  const groups = await queries
    .selectFrom('invitations')
    .innerJoin('users as creators', (join) =>
      join
        .onRef('creators.id', '=', 'invitations.invited_by')
        .onRef('creators.organization_id', '=', 'invitations.organization_id')
        .on('creators.deletion_at', 'is', null),
    )
    .where('invitations.organization_id', '=', organization)
    .where('invitations.expires_at', '>', now)
    .where((eb) => eb.or([eb('allows_multiple_use', '=', 1), eb('used_at', 'is', null)]))
    .groupBy(['invitations.role', 'creators.organization_role'])
    .select((eb) => [
      'invitations.role',
      'creators.organization_role as creators_role',
      eb.fn.countAll<number>().as('count'),
    ])
    .execute()
  return groups
    .filter(({ creators_role, role }) => canStillGive(creators_role, role))
    .reduce((sum, { count }) => sum + count, 0)
}

/** Records that a user accepted an invitation. */
export async function saveInvitationUse(
  tx: Transaction,
  id: string,
  user: string,
  now: number,
): Promise<void> {
  if ((await insertUse(tx, { invitation_id: id, user_id: user, created_at: now })) === 0) return
  await tx
    .updateTable('invitations')
    .set((eb) => ({ used_at: eb.fn.coalesce('used_at', eb.val(now)), uses: eb('uses', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

const insertUse = insertion('invitation_uses', { orIgnore: true })

export async function deleteInvitation(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('invitations').where('id', '=', id).execute()
}

/**
 * Deletes the invitations that an account has created, because they cannot be used without it, and removes
 * the account's address from the invitations that were addressed to it.
 * @param address the address of the account, in one organization or in all
 */
export async function deleteInvitationsOf(
  tx: Transaction,
  user: string,
  address: { emailKey: string; organization: string | undefined } | undefined,
): Promise<void> {
  await tx.deleteFrom('invitations').where('invited_by', '=', user).execute()
  const uses = tx.selectFrom('invitation_uses').where('user_id', '=', user).select('invitation_id')
  const used = await uses.execute()
  const addressedTo =
    address === undefined
      ? []
      : await tx
          .selectFrom('invitations')
          .where('email_key', '=', address.emailKey)
          .$if(address.organization !== undefined, (query) =>
            query.where('organization_id', '=', address.organization ?? ''),
          )
          .select('id as invitation_id')
          .execute()
  for (const { invitation_id: id } of [...used, ...addressedTo]) {
    await tx.deleteFrom('invitations').where('id', '=', id).where('allows_multiple_use', '=', 0).execute()
    await tx.updateTable('invitations').set({ email: null, email_key: null }).where('id', '=', id).execute()
  }
}

const listed = forEachVariant((variant: KeysetVariant & { ofRole: boolean }) =>
  compiled((db, p: Params<KeysetParams & { organization: string; role: OrganizationRole }>) => {
    const start = { key: p('key'), id: p('id') }
    const { where, orderBy, limit } = keyset(variant, 'invitations.created_at', 'invitations.id', start)
    return db
      .selectFrom('invitations')
      .selectAll()
      .where('organization_id', '=', p('organization'))
      .$if(variant.ofRole, (query) => query.where('role', '=', p('role')))
      .where(where)
      .orderBy(orderBy)
      .limit(limit)
  }),
)

/** Lists a page of the invitations of an organization, the newest first. */
export async function listInvitations(
  queries: Queries,
  organization: string,
  {
    role,
    ...page
  }: Pick<PageRequest, 'limit' | 'next' | 'previous'> & { role?: OrganizationRole | undefined },
): Promise<{ rows: InvitationsTable[]; cursors: PageCursors }> {
  const request = { ...page, sort: 'creationDate', direction: 'desc' } as const
  const start = pageStart(request, 'number')
  const { position, key, id, limit } = start
  const list = listed({ direction: 'desc', position, limit, ofRole: role !== undefined })
  const rows = await list(queries, { key, id, organization, role: role ?? 'user' })
  return pageOf(request, start, rows, ({ created_at }) => created_at)
}

/** Lists the users who accepted each of these invitations, the first one first. */
export async function listInvitationUsers(
  queries: Queries,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const users = new Map(ids.map((id) => [id, [] as string[]]))
  if (ids.length === 0) return users
  const uses = await queries
    .selectFrom('invitation_uses')
    .select(['invitation_id', 'user_id'])
    .where('invitation_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('user_id')
    .execute()
  for (const { invitation_id, user_id } of uses) users.get(invitation_id)?.push(user_id)
  return users
}

/**
 * Presents an invitation. The code is worth the role, so a viewer who could not give the role does not see
 * it.
 */
export function presentInvitation(
  invitation: InvitationsTable,
  usedBy: readonly string[],
  viewer: Member,
  publicUrl: string,
): OrganizationInvitation {
  const { id, organization_id, role, code, email, invited_by, allows_multiple_use, created_at } = invitation
  const { expires_at, uses } = invitation
  const showsCode = canManageRole(viewer, role)
  return {
    id,
    creationDate: dateTime(created_at),
    expirationDate: dateTime(expires_at),
    uses,
    organization: organization_id,
    organizationRole: role,
    customCode: showsCode ? code : null,
    email: email ?? undefined,
    invitedBy: invited_by,
    htmlUrl: showsCode ? `${publicUrl}/invitations/${code}` : undefined,
    allowMultipleUse: allows_multiple_use === 1,
    usedBy: [...usedBy],
  }
}
