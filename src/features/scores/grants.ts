import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { AccessLevel, GrantsTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'

/** What a grant is on. */
export type Granted = { on: 'score' | 'collection'; id: string }

/** Who holds a grant: a user, a group, or whoever will have an address (`emailKey`). */
export type Holder = { user: string } | { group: string } | { email: string; emailKey: string }

const thingColumn = { score: 'score_id', collection: 'collection_id' } as const

/**
 * Grants that were given by hand, by their own ids or by what they are on, with what is shown of their holders, those left
 * out who were removed; the oldest first.
 */
function grantsBy(column: 'id' | (typeof thingColumn)[Granted['on']]) {
  return compiled((db, p: Params<{ ids: readonly string[] }>) =>
    db
      .selectFrom('grants')
      .leftJoin('users', 'users.id', 'grants.user_id')
      .leftJoin('organizations', 'organizations.id', 'users.organization_id')
      .leftJoin('groups', 'groups.id', 'grants.group_id')
      .where(`grants.${column}`, 'in', p.list('ids'))
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
const grantsByThing = { score: grantsBy('score_id'), collection: grantsBy('collection_id') }

export type GrantRow = Awaited<ReturnType<typeof grantsById>>[number]

/** The grants on each of these scores or collections, by its id. */
export async function listGrants(
  queries: Queries,
  on: Granted['on'],
  ids: readonly string[],
): Promise<Map<string, GrantRow[]>> {
  const rows = ids.length > 0 ? await grantsByThing[on](queries, { ids }) : []
  return Map.groupBy(rows, (row) => row[thingColumn[on]] ?? '')
}

/** A grant that is known to be there. */
export async function loadGrant(queries: Queries, id: string): Promise<GrantRow> {
  const [grant] = await grantsById(queries, { ids: [id] })
  if (!grant) throw new Error(`Grant ${id} has gone`)
  return grant
}

const insertGrant = insertion('grants')

/** The most that one score or collection may be given by hand: every answer to a collaborator names them all. */
const mostGrants = 1000

/** Gives a holder this level: a new grant, or another level for the one that there is. Its id. */
export async function saveGrant(
  tx: Transaction,
  granted: Granted,
  holder: Holder,
  grant: { id: string; level: AccessLevel; by: string; now: number },
): Promise<string> {
  const known = await findGrantOf(tx, granted, holder)
  if (known) {
    await tx.updateTable('grants').set({ level: grant.level }).where('id', '=', known.id).execute()
    return known.id
  }
  const row: GrantsTable = {
    id: grant.id,
    score_id: granted.on === 'score' ? granted.id : null,
    collection_id: granted.on === 'collection' ? granted.id : null,
    user_id: 'user' in holder ? holder.user : null,
    group_id: 'group' in holder ? holder.group : null,
    email: 'email' in holder ? holder.email : null,
    email_key: 'email' in holder ? holder.emailKey : null,
    level: grant.level,
    assignment_id: null,
    submission_id: null,
    created_by: grant.by,
    created_at: grant.now,
  }
  await insertGrant(tx, row)
  if ((await countGrants(tx, granted)) > mostGrants && (await countByHand(tx, granted)) > mostGrants) {
    fail('TOO_MANY_COLLABORATORS')
  }
  return grant.id
}

/** The grant that this holder was given by hand, not one that the holder has some part in. */
export async function findGrantOf(
  queries: Queries,
  granted: Granted,
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
    .where(thingColumn[granted.on], '=', granted.id)
    .where(column, '=', value)
    .where('assignment_id', 'is', null)
    .executeTakeFirst()
}

/** Takes a grant back. Whether it was there. */
export async function deleteGrant(tx: Transaction, granted: Granted, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('grants')
    .where('id', '=', id)
    .where(thingColumn[granted.on], '=', granted.id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) await countGrants(tx, granted)
  return numDeletedRows > 0n
}

/** Takes back what this holder was given. Whether there was something. */
export async function deleteGrantOf(tx: Transaction, granted: Granted, holder: Holder): Promise<boolean> {
  const grant = await findGrantOf(tx, granted, holder)
  return grant !== undefined && deleteGrant(tx, granted, grant.id)
}

/** Takes back all that a user has given to others, and what those of this organization have given to the user. */
export async function endSharingWithin(tx: Transaction, organization: string, user: string): Promise<void> {
  const givenOfScores = tx
    .selectFrom('scores')
    .innerJoin('grants', 'grants.score_id', 'scores.id')
    .where('scores.owner_id', '=', user)
    .select(['grants.id as grant', 'scores.id'])
  const givenOfCollections = tx
    .selectFrom('collections')
    .innerJoin('grants', 'grants.collection_id', 'collections.id')
    .where('collections.user_id', '=', user)
    .select(['grants.id as grant', 'collections.id'])
  const held = tx.selectFrom('grants').where('grants.user_id', '=', user)
  const heldOfScores = held
    .innerJoin('scores', 'scores.id', 'grants.score_id')
    .innerJoin('users as owner', 'owner.id', 'scores.owner_id')
    .where('owner.organization_id', '=', organization)
    .where('owner.id', '!=', user)
    .select(['grants.id as grant', 'scores.id'])
  const heldOfCollections = held
    .innerJoin('collections', 'collections.id', 'grants.collection_id')
    .innerJoin('users as owner', 'owner.id', 'collections.user_id')
    .where('owner.organization_id', '=', organization)
    .where('owner.id', '!=', user)
    .select(['grants.id as grant', 'collections.id'])
  for (const { grant, id } of await givenOfScores.unionAll(heldOfScores).execute()) {
    await deleteGrant(tx, { on: 'score', id }, grant)
  }
  for (const { grant, id } of await givenOfCollections.unionAll(heldOfCollections).execute()) {
    await deleteGrant(tx, { on: 'collection', id }, grant)
  }
}

/** What an assignment gives of a score, to a user or a group. */
export interface AssignmentGrant {
  score: string
  holder: { user: string } | { group: string }
  level: AccessLevel
}

/** What each holder gets of each score, the strongest of what is wanted: several parts of one may be. */
function strongestOf(wanted: readonly AssignmentGrant[]): AssignmentGrant[] {
  const strongest = new Map<string, AssignmentGrant>()
  for (const grant of wanted) {
    const key = JSON.stringify([grant.score, grant.holder])
    if ((strongest.get(key)?.level ?? 0) < grant.level) strongest.set(key, grant)
  }
  return [...strongest.values()]
}

/**
 * Lets an assignment, or a submission to it, give this and no more. What was given otherwise stays as it is: the strongest
 * counts.
 */
export async function replaceAssignmentGrants(
  tx: Transaction,
  { assignment, submission = null }: { assignment: string; submission?: string | null },
  wanted: readonly AssignmentGrant[],
  { newId, by, now }: { newId: () => string; by: string; now: number },
): Promise<void> {
  const given = await tx
    .selectFrom('grants')
    .where('assignment_id', '=', assignment)
    .where('submission_id', submission === null ? 'is' : '=', submission)
    .select(['id', 'score_id', 'user_id', 'group_id', 'level'])
    .execute()
  const rows = strongestOf(wanted).map(({ score, holder, level }) => ({
    score_id: score,
    user_id: 'user' in holder ? holder.user : null,
    group_id: 'group' in holder ? holder.group : null,
    level,
  }))
  const keyOf = (row: Pick<GrantsTable, 'score_id' | 'user_id' | 'group_id' | 'level'>) =>
    JSON.stringify([row.score_id, row.user_id, row.group_id, row.level])
  const [before, after] = [new Set(given.map(keyOf)), new Set(rows.map(keyOf))]
  const gone = given.filter((row) => !after.has(keyOf(row)))
  const added = rows.filter((row) => !before.has(keyOf(row)))
  if (gone.length > 0) await deleteByIds(tx, { ids: gone.map(({ id }) => id) })
  const rest = { collection_id: null, email: null, email_key: null, created_by: by, created_at: now }
  const from = { ...rest, assignment_id: assignment, submission_id: submission }
  for (let done = 0; done < added.length; done += insertedAtOnce) {
    const some = added.slice(done, done + insertedAtOnce).map((row) => ({ ...row, ...from, id: newId() }))
    await tx.insertInto('grants').values(some).execute()
  }
  const scores = new Set([...gone, ...added].flatMap(({ score_id }) => score_id ?? []))
  if (scores.size > 0) await countOfScores(tx, { scores: [...scores] })
}

/** How many rows one statement writes: an assignment of many scores to many students gives each of them each. */
const insertedAtOnce = 200

const deleteByIds = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('grants').where('id', 'in', p.list('ids')),
)

/** Takes back what some assignments gave to a user. */
export async function deleteAssignmentGrantsOf(
  tx: Transaction,
  user: string,
  assignments: readonly string[],
): Promise<void> {
  for (const assignment of assignments) {
    const gone = await tx
      .deleteFrom('grants')
      .where('assignment_id', '=', assignment)
      .where('user_id', '=', user)
      .returning('score_id')
      .execute()
    for (const { score_id } of gone) await countGrants(tx, { on: 'score', id: score_id ?? '' })
  }
}

const deleteOfSubmissions = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db.deleteFrom('grants').where('submission_id', 'in', p.list('submissions')).returning('score_id'),
)
const countOfScores = compiled((db, p: Params<{ scores: readonly string[] }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({
      grants: eb
        .selectFrom('grants')
        .whereRef('grants.score_id', '=', 'scores.id')
        .select((count) => count.fn.countAll<number>().as('count')),
    }))
    .where('id', 'in', p.list('scores')),
)

/** Takes back all that follows from these submissions. */
export async function deleteSubmissionGrants(tx: Transaction, submissions: readonly string[]): Promise<void> {
  const gone = await deleteOfSubmissions(tx, { submissions })
  if (gone.length > 0) await countOfScores(tx, { scores: gone.flatMap(({ score_id }) => score_id ?? []) })
}

/** Takes back all that a group was given. */
export const deleteGrantsOfGroup = (tx: Transaction, group: string): Promise<void> =>
  deleteGrantsWhere(tx, 'group_id', group)

/** Takes back what waits for whoever has an address, of what somebody of this organization owns, or anybody. */
export async function deleteInvitationsTo(
  tx: Transaction,
  { emailKey, organization }: { emailKey: string; organization: string | undefined },
): Promise<void> {
  for (const { id, granted, owner } of await listInvitations(tx, emailKey)) {
    if (organization === undefined || owner.organization_id === organization) await deleteGrant(tx, granted, id)
  }
}

/** Takes back all that a user was given. */
export const deleteGrantsOfUser = (tx: Transaction, user: string): Promise<void> =>
  deleteGrantsWhere(tx, 'user_id', user)

async function deleteGrantsWhere(tx: Transaction, column: 'user_id' | 'group_id', holder: string): Promise<void> {
  const grants = await tx
    .selectFrom('grants')
    .where(column, '=', holder)
    .select(['id', 'score_id', 'collection_id'])
    .execute()
  for (const { id, score_id, collection_id } of grants) {
    await deleteGrant(tx, score_id ? { on: 'score', id: score_id } : { on: 'collection', id: collection_id ?? '' }, id)
  }
}

/** Lists look for grants only where there are some. How many there are now. */
async function countGrants(tx: Transaction, { on, id }: Granted): Promise<number> {
  const { grants } = await tx
    .updateTable(on === 'score' ? 'scores' : 'collections')
    .set((eb) => ({
      grants: eb
        .selectFrom('grants')
        .where(thingColumn[on], '=', id)
        .select((count) => count.fn.countAll<number>().as('count')),
    }))
    .where('id', '=', id)
    .returning('grants')
    .executeTakeFirstOrThrow()
  return grants
}

async function countByHand(tx: Transaction, { on, id }: Granted): Promise<number> {
  const { count } = await tx
    .selectFrom('grants')
    .where(thingColumn[on], '=', id)
    .where('assignment_id', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const invitedAddresses = compiled((db, p: Params<{ keys: readonly string[] }>) =>
  db.selectFrom('grants').where('email_key', 'in', p.list('keys')).select('email_key').distinct(),
)

/** To which of these addresses, given as their keys, there are invitations that wait. */
export async function findInvitedAddresses(queries: Queries, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await invitedAddresses(queries, { keys })
  return new Set(rows.map(({ email_key }) => email_key ?? ''))
}

/** The invitations to an address that wait: to what, whose that is, and who has invited. */
export async function listInvitations(queries: Queries, emailKey: string) {
  const rows = await queries
    .selectFrom('grants')
    .leftJoin('scores', 'scores.id', 'grants.score_id')
    .leftJoin('collections', 'collections.id', 'grants.collection_id')
    .innerJoin('users as owner', (join) =>
      join.on((eb) => eb('owner.id', '=', eb.fn.coalesce('scores.owner_id', 'collections.user_id'))),
    )
    .leftJoin('organizations', 'organizations.id', 'owner.organization_id')
    .innerJoin('users as inviter', 'inviter.id', 'grants.created_by')
    .where('grants.email_key', '=', emailKey)
    .select(['grants.id', 'grants.score_id', 'grants.collection_id', 'grants.level', 'grants.created_at'])
    .select(['owner.id as owner', 'owner.organization_id', 'owner.organization_role'])
    .select('organizations.allows_public_scores')
    .select(['inviter.id as inviter', 'inviter.organization_id as inviter_organization'])
    .select('inviter.organization_role as inviter_role')
    .orderBy('grants.id')
    .execute()
  return rows.map(({ score_id, collection_id, organization_id, organization_role, allows_public_scores, ...row }) => ({
    ...row,
    granted: score_id ? { on: 'score' as const, id: score_id } : { on: 'collection' as const, id: collection_id ?? '' },
    owner: { id: row.owner, organization_id, organization_role, allows_public_scores },
    inviter: { id: row.inviter, organization_id: row.inviter_organization, organization_role: row.inviter_role },
  }))
}
