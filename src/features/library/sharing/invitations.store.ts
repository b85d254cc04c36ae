import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { deleteGrant } from './grants.store.ts'

/**
 * Deletes the pending invitations to an address.
 * @param organization limits the deletion to content of members of this organization
 */
export async function deleteInvitationsTo(
  tx: Transaction,
  { emailKey, organization }: { emailKey: string; organization: string | undefined },
): Promise<void> {
  for (const { id, target, owner } of await listInvitations(tx, emailKey)) {
    if (organization === undefined || owner.organization_id === organization)
      await deleteGrant(tx, target, id)
  }
}

const invitedAddresses = compiled((db, p: Params<{ keys: readonly string[] }>) =>
  db.selectFrom('grants').where(p.isIn('email_key', 'keys')).select('email_key').distinct(),
)

/** Returns those of the addresses (given as folded keys) that have pending invitations. */
export async function findInvitedAddresses(
  queries: Queries,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await invitedAddresses(queries, { keys })
  return new Set(rows.map(({ email_key }) => email_key ?? ''))
}

function selectInvitations(queries: Queries) {
  return queries
    .selectFrom('grants')
    .leftJoin('scores', 'scores.id', 'grants.score_id')
    .leftJoin('collections', 'collections.id', 'grants.collection_id')
    .innerJoin('users as owner', (join) =>
      join.on((eb) => eb('owner.id', '=', eb.fn.coalesce('scores.owner_id', 'collections.user_id'))),
    )
    .leftJoin('organizations', 'organizations.id', 'owner.organization_id')
    .innerJoin('users as inviter', 'inviter.id', 'grants.created_by')
    .select(['grants.id', 'grants.score_id', 'grants.collection_id', 'grants.level', 'grants.created_at'])
    .select(['owner.id as owner', 'owner.organization_id', 'owner.organization_role'])
    .select('organizations.allows_public_scores')
    .select(['inviter.id as inviter', 'inviter.organization_id as inviter_organization'])
    .select('inviter.organization_role as inviter_role')
}

type SelectedInvitation = Awaited<ReturnType<ReturnType<typeof selectInvitations>['execute']>>[number]

function invitationOf({
  score_id,
  collection_id,
  organization_id,
  organization_role,
  allows_public_scores,
  ...row
}: SelectedInvitation) {
  return {
    ...row,
    target: score_id
      ? { on: 'score' as const, id: score_id }
      : { on: 'collection' as const, id: collection_id ?? '' },
    owner: { id: row.owner, organization_id, organization_role, allows_public_scores },
    inviter: {
      id: row.inviter,
      organization_id: row.inviter_organization,
      organization_role: row.inviter_role,
    },
  }
}

/** A pending invitation, with the owner of the shared item and the user who invited. */
export type Invitation = ReturnType<typeof invitationOf>

/** Lists the pending invitations to an address. */
export async function listInvitations(queries: Queries, emailKey: string): Promise<Invitation[]> {
  const invited = selectInvitations(queries).where('grants.email_key', '=', emailKey)
  return (await invited.orderBy('grants.id').execute()).map(invitationOf)
}

/** Finds the pending invitation with this token, if it was made or renewed after a time, in milliseconds. */
export async function findInvitationByToken(
  queries: Queries,
  { tokenHash, after }: { tokenHash: string; after: number },
): Promise<Invitation | undefined> {
  const row = await selectInvitations(queries)
    .where('grants.token_hash', '=', tokenHash)
    .where('grants.created_at', '>=', after)
    .executeTakeFirst()
  return row && invitationOf(row)
}

const atATime = 100

/** Deletes some of the pending invitations from before a time, in milliseconds. Returns whether more may remain. */
export async function deleteInvitationsBefore(tx: Transaction, time: number): Promise<boolean> {
  const old = await tx
    .selectFrom('grants')
    .where('email_key', 'is not', null)
    .where('created_at', '<', time)
    .select(['id', 'score_id', 'collection_id'])
    .orderBy('created_at')
    .limit(atATime)
    .execute()
  for (const { id, score_id, collection_id } of old) {
    const target = score_id
      ? { on: 'score' as const, id: score_id }
      : { on: 'collection' as const, id: collection_id ?? '' }
    await deleteGrant(tx, target, id)
  }
  return old.length === atATime
}
