import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { AccessLevel, GrantsTable } from '../../../platform/db/tables.ts'
import { fail } from '../../../errors.ts'

/** The score or collection that a grant is on. */
export type GrantTarget = { on: 'score' | 'collection'; id: string }

/**
 * The holder of a grant: a user, a group, or an invited address without an account (`emailKey` is its folded
 * form).
 */
export type Holder =
  | { user: string }
  | { group: string }
  | { email: string; emailKey: string; tokenHash?: string }

const targetColumn = { score: 'score_id', collection: 'collection_id' } as const

/**
 * Compiles a query for grants by one column, with the columns of their holders, the oldest first. Grants that
 * follow from assignments and grants to removed users are not included.
 */
function grantsBy(column: 'id' | (typeof targetColumn)[GrantTarget['on']]) {
  return compiled((db, p: Params<{ ids: readonly string[] }>) =>
    db
      .selectFrom('grants')
      .leftJoin('users', 'users.id', 'grants.user_id')
      .leftJoin('organizations', 'organizations.id', 'users.organization_id')
      .leftJoin('groups', 'groups.id', 'grants.group_id')
      .where(p.isIn(`grants.${column}`, 'ids'))
      .where('grants.assignment_id', 'is', null)
      .where('users.deletion_at', 'is', null)
      .select([
        'grants.id',
        'grants.score_id',
        'grants.collection_id',
        'grants.user_id',
        'grants.group_id',
        'grants.email',
        'grants.level',
        'grants.created_at',
        'users.username',
        'users.firstname',
        'users.lastname',
        'users.organization_id',
        'users.organization_role',
        'users.picture_id',
        'users.created_at as user_created_at',
        'organizations.allows_public_scores',
        'groups.name as group_name',
        'groups.type as group_type',
        'groups.organization_id as group_organization_id',
        'groups.created_at as group_created_at',
      ])
      .select((eb) =>
        eb
          .selectFrom('group_members')
          .innerJoin('users as members', 'members.id', 'group_members.user_id')
          .whereRef('group_members.group_id', '=', 'grants.group_id')
          .where('members.deletion_at', 'is', null)
          .select((count) => count.fn.countAll<number>().as('count'))
          .as('group_size'),
      )
      .orderBy('grants.id'),
  )
}

const grantsById = grantsBy('id')
const grantsByTarget = { score: grantsBy('score_id'), collection: grantsBy('collection_id') }

export type GrantRow = Awaited<ReturnType<typeof grantsById>>[number]

/** Lists the grants on each of these scores or collections, by its id. */
export async function listGrants(
  queries: Queries,
  on: GrantTarget['on'],
  ids: readonly string[],
): Promise<Map<string, GrantRow[]>> {
  const rows = ids.length > 0 ? await grantsByTarget[on](queries, { ids }) : []
  return Map.groupBy(rows, (row) => row[targetColumn[on]] ?? '')
}

/** Loads a grant that must exist. */
export async function loadGrant(queries: Queries, id: string): Promise<GrantRow> {
  const [grant] = await grantsById(queries, { ids: [id] })
  if (!grant) throw new Error(`Grant ${id} does not exist`)
  return grant
}

const insertGrant = insertion('grants')

/** Tells the readers who have the score open. */
const countSharingChange = compiled((db, p: Params<{ score: string }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({ sharing_changes: eb('sharing_changes', '+', 1) }))
    .where('id', '=', p('score')),
)

/**
 * Maximum number of direct grants on one score or collection. Every response that shows the collaborators
 * lists them all.
 */
const maxGrants = 1000

/**
 * Creates a grant, or changes the level of the holder's existing grant. Returns the id of the grant.
 * @throws TOO_MANY_COLLABORATORS
 */
export async function saveGrant(
  tx: Transaction,
  target: GrantTarget,
  holder: Holder,
  grant: { id: string; level: AccessLevel; by: string; now: number },
): Promise<string> {
  const known = await findGrantOf(tx, target, holder)
  if (known) {
    // The time in which an address can accept its invitation starts again.
    const invited = 'email' in holder && { created_at: grant.now, token_hash: holder.tokenHash ?? null }
    const change = { level: grant.level, ...invited }
    await tx.updateTable('grants').set(change).where('id', '=', known.id).execute()
    if (target.on === 'score') await countSharingChange(tx, { score: target.id })
    return known.id
  }
  const row: GrantsTable = {
    id: grant.id,
    score_id: target.on === 'score' ? target.id : null,
    collection_id: target.on === 'collection' ? target.id : null,
    user_id: 'user' in holder ? holder.user : null,
    group_id: 'group' in holder ? holder.group : null,
    email: 'email' in holder ? holder.email : null,
    email_key: 'email' in holder ? holder.emailKey : null,
    token_hash: 'email' in holder ? (holder.tokenHash ?? null) : null,
    level: grant.level,
    assignment_id: null,
    submission_id: null,
    created_by: grant.by,
    created_at: grant.now,
  }
  await insertGrant(tx, row)
  if ((await updateGrantCount(tx, target)) > maxGrants && (await countDirectGrants(tx, target)) > maxGrants) {
    fail('TOO_MANY_COLLABORATORS')
  }
  return grant.id
}

/**
 * Finds the holder's direct grant. Grants that follow from assignments and grants to the holder's groups do
 * not count.
 */
export async function findGrantOf(
  queries: Queries,
  target: GrantTarget,
  holder: Holder,
): Promise<Pick<GrantsTable, 'id' | 'level'> | undefined> {
  const [column, value] =
    'user' in holder
      ? (['user_id', holder.user] as const)
      : 'group' in holder
        ? (['group_id', holder.group] as const)
        : (['email_key', holder.emailKey] as const)
  return queries
    .selectFrom('grants')
    .select(['id', 'level'])
    .where(targetColumn[target.on], '=', target.id)
    .where(column, '=', value)
    .where('assignment_id', 'is', null)
    .executeTakeFirst()
}

/** Deletes a grant. Returns whether it existed. */
export async function deleteGrant(tx: Transaction, target: GrantTarget, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('grants')
    .where('id', '=', id)
    .where(targetColumn[target.on], '=', target.id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await updateGrantCount(tx, target)
  return numDeletedRows > 0n
}

/** Deletes the holder's direct grant. Returns whether there was one. */
export async function deleteGrantOf(tx: Transaction, target: GrantTarget, holder: Holder): Promise<boolean> {
  const grant = await findGrantOf(tx, target, holder)
  return grant !== undefined && deleteGrant(tx, target, grant.id)
}

/**
 * Deletes all grants on the user's scores and collections, and the user's grants on content of members of the
 * organization.
 */
export async function endSharing(tx: Transaction, organization: string, user: string): Promise<void> {
  const scoreGrantsOfOwner = tx
    .selectFrom('scores')
    .innerJoin('grants', 'grants.score_id', 'scores.id')
    .where('scores.owner_id', '=', user)
    .select(['grants.id as grant', 'scores.id'])
  const collectionGrantsOfOwner = tx
    .selectFrom('collections')
    .innerJoin('grants', 'grants.collection_id', 'collections.id')
    .where('collections.user_id', '=', user)
    .select(['grants.id as grant', 'collections.id'])
  const userGrants = tx.selectFrom('grants').where('grants.user_id', '=', user)
  const scoreGrants = userGrants
    .innerJoin('scores', 'scores.id', 'grants.score_id')
    .innerJoin('users as owner', 'owner.id', 'scores.owner_id')
    .where('owner.organization_id', '=', organization)
    .where('owner.id', '!=', user)
    .select(['grants.id as grant', 'scores.id'])
  const collectionGrants = userGrants
    .innerJoin('collections', 'collections.id', 'grants.collection_id')
    .innerJoin('users as owner', 'owner.id', 'collections.user_id')
    .where('owner.organization_id', '=', organization)
    .where('owner.id', '!=', user)
    .select(['grants.id as grant', 'collections.id'])
  for (const { grant, id } of await scoreGrantsOfOwner.unionAll(scoreGrants).execute()) {
    await deleteGrant(tx, { on: 'score', id }, grant)
  }
  for (const { grant, id } of await collectionGrantsOfOwner.unionAll(collectionGrants).execute()) {
    await deleteGrant(tx, { on: 'collection', id }, grant)
  }
}

/** Deletes all grants to a group. */
export const deleteGrantsOfGroup = (tx: Transaction, group: string): Promise<void> =>
  deleteGrantsWhere(tx, 'group_id', group)

/** Deletes all grants to a user. */
export const deleteGrantsOfUser = (tx: Transaction, user: string): Promise<void> =>
  deleteGrantsWhere(tx, 'user_id', user)

async function deleteGrantsWhere(
  tx: Transaction,
  column: 'user_id' | 'group_id',
  holder: string,
): Promise<void> {
  const grants = await tx
    .selectFrom('grants')
    .where(column, '=', holder)
    .select(['id', 'score_id', 'collection_id'])
    .execute()
  for (const { id, score_id, collection_id } of grants) {
    await deleteGrant(
      tx,
      score_id ? { on: 'score', id: score_id } : { on: 'collection', id: collection_id ?? '' },
      id,
    )
  }
}

/**
 * Updates the number of grants that is stored with the score or collection, and returns it. Lists query
 * grants only if this number is not 0.
 */
export async function updateGrantCount(tx: Transaction, { on, id }: GrantTarget): Promise<number> {
  if (on === 'score') await countSharingChange(tx, { score: id })
  const { grants } = await tx
    .updateTable(on === 'score' ? 'scores' : 'collections')
    .set((eb) => ({
      grants: eb
        .selectFrom('grants')
        .where(targetColumn[on], '=', id)
        .select((count) => count.fn.countAll<number>().as('count')),
    }))
    .where('id', '=', id)
    .returning('grants')
    .executeTakeFirstOrThrow()
  return grants
}

async function countDirectGrants(tx: Transaction, { on, id }: GrantTarget): Promise<number> {
  const { count } = await tx
    .selectFrom('grants')
    .where(targetColumn[on], '=', id)
    .where('assignment_id', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
