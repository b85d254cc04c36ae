import { timingSafeEqual } from 'node:crypto'
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ScorePrivacy } from '../../../contract/scores.ts'
import type { ResourceRights } from '../../../contract/sharing.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Viewer } from '../../../actor.ts'
import { canSeeUser } from '../../people/users/policy.ts'
import { findUser } from '../../people/users/store.ts'
import {
  type Access,
  noRights,
  ownersRights,
  rankOf,
  rightsThrough,
  strongest,
  wayNumber,
} from '../sharing/access.ts'
import type { GrantRow } from '../sharing/grants.store.ts'
import { findRevision, type RevisionRow } from './revisions.store.ts'
import {
  immediateDeletion,
  findScore,
  type ListViewer,
  type OwnerRow,
  type ScoreRow,
  isReachable,
} from './store.ts'

/** The columns of a score that decide access to it. */
export interface Protected {
  owner_id: string
  privacy: ScorePrivacy
  sharing_key: string | null
  trashed: 0 | 1
  deletion_at: number | null
}

/** The columns of the score's owner that decide access to it. */
export type ProtectedBy = Pick<OwnerRow, 'organization_id' | 'organization_role' | 'allows_public_scores'>

/**
 * Returns the rights of a viewer on a score. Only the owner and administrators can see a score in the trash.
 * A score that is being deleted is visible to no user. `listableBy` is the same rule as an SQL condition.
 * @param access the strongest access that the viewer was given
 */
export function rightsOn(
  score: Protected,
  owner: ProtectedBy,
  viewer: Viewer,
  access: Access | undefined,
  sharingKey?: string,
): ResourceRights {
  if (score.deletion_at === immediateDeletion) return noRights
  if (viewer?.id === score.owner_id) return ownersRights
  const granted = access && grantCounts(owner, viewer) ? rightsThrough(access) : undefined
  if (score.trashed) return granted?.aclAdmin ? granted : noRights
  return granted ?? (isOpenTo(score, owner, viewer, sharingKey) ? { ...noRights, aclRead: true } : noRights)
}

/** The user whose rights are checked. */
export interface Caller {
  id: string
  organization?: string | undefined
}

const isColleague = ({ organization_id }: Pick<Member, 'organization_id'>, viewer: Caller | undefined) =>
  organization_id !== null && viewer?.organization === organization_id

/**
 * Returns whether a viewer can reach anything of this owner. Content of an organization stays within the
 * organization unless the organization allows public scores.
 */
export const canReach = (owner: OwnerReach, viewer: Caller | undefined): boolean =>
  isColleague(owner, viewer) || canBePublic(owner.organization_id, owner.allows_public_scores)

type OwnerReach = Omit<ProtectedBy, 'organization_role'>

/**
 * A grant on a student's score counts only for members of the same organization. This also holds if the
 * student put the score into a shared collection.
 */
const grantCounts = (owner: ProtectedBy, viewer: Viewer): boolean =>
  isColleague(owner, viewer) || (!isStudent(owner) && canReach(owner, viewer))

/**
 * Returns whether the owner's content may be shared with this user or group. Both must be in the same
 * organization, or both must be allowed to share publicly.
 */
export function canShareWith(owner: OwnerReach, to: OwnerReach): boolean {
  const isOpen = (one: OwnerReach) => canBePublic(one.organization_id, one.allows_public_scores)
  return isSameOrganization(owner, to) || (isOpen(owner) && isOpen(to))
}

/**
 * Returns whether one of the two is a student and the other is not a member of the same organization. Such
 * users cannot share with each other.
 */
export function isStudentOutsideOrganization(one: Member, other: Member): boolean {
  return !isSameOrganization(one, other) && (isStudent(one) || isStudent(other))
}

type Member = Pick<OwnerRow, 'organization_id' | 'organization_role'>

const isStudent = ({ organization_role }: Pick<Member, 'organization_role'>) => organization_role === 'user'

export const isSameOrganization = (
  one: Pick<Member, 'organization_id'>,
  other: Pick<Member, 'organization_id'>,
) => one.organization_id !== null && one.organization_id === other.organization_id

function isOpenTo(
  score: Protected,
  owner: ProtectedBy,
  viewer: Viewer,
  sharingKey: string | undefined,
): boolean {
  switch (score.privacy) {
    case 'public':
      return canReach(owner, viewer)
    case 'organizationPublic':
      return isColleague(owner, viewer)
    case 'privateLink':
      return canReach(owner, viewer) && sharingKey !== undefined && matchesSharingKey(score, sharingKey)
    case 'private':
      return false
  }
}

/**
 * Returns whether scores may leave the organization of their owner. An individual account has no organization
 * that could restrict it.
 */
function canBePublic(organization: string | null, allowsPublicScores: 0 | 1 | null): boolean {
  return organization === null || allowsPublicScores === 1
}

/** Compares the sharing key in constant time. */
function matchesSharingKey({ sharing_key }: Protected, sent: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(sharing_key ?? '')]
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns whether a viewer with these rights can see a grant. Only collaborators can see groups and invited
 * addresses. Other viewers can see collaborators with individual accounts and collaborators from their own
 * organization. No viewer can see a collaborator whose profile the viewer may not see.
 */
export function canSeeGrant(grant: GrantRow, rights: ResourceRights, viewer: Viewer): boolean {
  const { user_id: id, organization_id, allows_public_scores } = grant
  if (id === null) return rights.isCollaborator === true
  if (rights.isCollaborator) return canSeeUser(viewer, { id, organization_id, allows_public_scores })
  return organization_id === null || viewer?.organization === organization_id
}

/**
 * SQL expressions for the columns of a score: either of the outer query, or parameters for a score that is
 * already loaded.
 */
interface ScoreInQuery {
  id: Expression<string>
  owner: Expression<string>
  /** The sharing key of the score if its privacy is `privateLink`, else null. */
  openKey: Expression<string | null>
  privacy: Expression<string>
}

const scoreOfOuterQuery: ScoreInQuery = {
  id: sql.ref('scores.id'),
  owner: sql.ref('scores.owner_id'),
  openKey: sql`case scores.privacy when 'privateLink' then scores.sharing_key end`,
  privacy: sql.ref('scores.privacy'),
}

/** One row for each source of access. */
type AccessRow = { level: number; way: number }

/**
 * Selects the access from grants to the viewer and from grants to the viewer's groups. The two are separate
 * queries so that each uses the index on its holder column.
 */
function accessFromGrants(
  viewer: Expression<string>,
  gives: Record<'level' | 'alone' | 'inGroup' | 'from', RawBuilder<unknown>>,
) {
  const { level, alone, inGroup, from } = gives
  return sql<AccessRow>`
    select ${level} as level, ${alone} as way ${from} and grants.user_id = ${viewer}
    union all
    select ${level}, ${inGroup} ${from} and grants.group_id in (select group_id from group_members where user_id = ${viewer})`
}

/** Selects the grants on a score or a collection to the viewer and to the viewer's groups. */
function grantsTo(viewer: Expression<string>, on: 'score' | 'collection', id: Expression<string>) {
  return accessFromGrants(viewer, {
    level: sql`grants.level`,
    alone: sql.lit(wayNumber('user')),
    inGroup: sql.lit(wayNumber('group')),
    from: sql`from grants where ${sql.ref(`grants.${on}_id`)} = ${id}`,
  })
}

/** Selects the rank of the strongest access, or null if there is none. */
const strongestRank = (accessRows: RawBuilder<AccessRow>) =>
  sql<number | null>`(select max(level * ${sql.lit(rankOf(1, 0))} + way) from (${accessRows}) as given)`

/**
 * Selects one row (`level`, `way`) for each source of access to a score: grants and collections, and the
 * assignments in resource libraries that are open to the viewer. Students have no access through libraries.
 */
const allAccess = (score: ScoreInQuery, viewer: Expression<string>) => sql<AccessRow>`
  ${grantedAccess(score, viewer)}
  union all
  ${libraryAccess(score, viewer)}`

/**
 * Selects the access that a viewer was given on a score. The sources are:
 * - grants to the viewer or to a group of the viewer
 * - a collection that the viewer owns or that is shared with the viewer, if the score's owner added the score
 * to it; this gives write access at most
 * - a collection to which the viewer added the score by its link, while the link still has the same key
 */
function grantedAccess({ id, owner, openKey }: ScoreInQuery, viewer: Expression<string>) {
  const way = sql.lit(wayNumber('collection'))
  const collected = sql`from collection_scores
      inner join collections on collections.id = collection_scores.collection_id`
  const byOwner = sql`collection_scores.score_id = ${id} and collection_scores.added_by = ${owner}
      and collections.deletion_at is null`
  return sql<AccessRow>`
    ${grantsTo(viewer, 'score', id)}
    union all
    select 2, ${way} ${collected} where ${byOwner} and collections.user_id = ${viewer}
    union all
    ${accessFromGrants(viewer, {
      level: sql`case grants.level when 1 then 1 else 2 end`,
      alone: way,
      inGroup: way,
      from: sql`${collected} inner join grants on grants.collection_id = collections.id where ${byOwner}`,
    })}
    union all
    select 1, ${sql.lit(wayNumber('link'))} from collection_scores
      where score_id = ${id} and added_by = ${viewer} and sharing_key = ${openKey}`
}

/**
 * Selects the access through assignments in resource libraries. The query starts from the score because few
 * assignments have it attached. It is the SQL form of `isSeen` in the policy of edu-resources, for libraries
 * that other users can see. The user who attached the score must still be able to read it, and not only
 * through another library. A user cannot pass on more access than the user has.
 */
function libraryAccess(score: ScoreInQuery, viewer: Expression<string>) {
  const attacher = sql.ref<string>('attacher.id')
  return sql<AccessRow>`
    select 1, ${sql.lit(wayNumber('library'))} from assignment_attachments as attached
      inner join edu_resources on edu_resources.assignment_id = attached.assignment_id
      inner join users as reader on reader.id = ${viewer}
      inner join users as attacher on attacher.id = attached.attached_by
      inner join users as composer on composer.id = ${score.owner}
      left join organizations as school on school.id = composer.organization_id
      left join users as librarian on librarian.id = edu_resources.user_id
      left join organizations as home
        on home.id = coalesce(edu_resources.organization_id, librarian.organization_id)
      where attached.score_id = ${score.id} and reader.organization_role <> 'user'
        and (librarian.id is null or (librarian.deletion_at is null and librarian.organization_role <> 'user'))
        and (
          edu_resources.place = 'flatEduContent'
          or (home.id = reader.organization_id and edu_resources.privacy <> 'private')
          or (home.allows_public_scores = 1 and edu_resources.privacy = 'public')
        )
        and (
          attacher.id = composer.id
          or (
            attacher.deletion_at is null
            and (composer.organization_id is null or school.allows_public_scores = 1
              or composer.organization_id = attacher.organization_id)
            and (
              ${score.privacy} = 'public'
              or (${score.privacy} = 'organizationPublic' and composer.organization_id = attacher.organization_id)
              or (
                (coalesce(composer.organization_role, '') <> 'user' or composer.organization_id = attacher.organization_id)
                and exists (${grantedAccess(score, attacher)})
              )
            )
          )
        )`
}

const accessById = compiled(
  (
    db,
    p: Params<{ score: string; owner: string; openKey: string | null; privacy: string; viewer: string }>,
  ) => {
    const score = { id: p('score'), owner: p('owner'), openKey: p('openKey'), privacy: p('privacy') }
    return db
      .selectFrom(sql<AccessRow>`(${allAccess(score, p('viewer'))})`.as('given'))
      .select(['given.level', 'given.way'])
  },
)

/** Returns the access that a viewer was given on another user's score. */
async function findAccess(queries: Queries, score: ScoreRow, viewer: Viewer): Promise<Access | undefined> {
  if (!viewer || viewer.id === score.owner_id) return undefined
  const openKey = score.privacy === 'privateLink' ? score.sharing_key : null
  const { id, owner_id: owner, privacy } = score
  return strongest(await accessById(queries, { score: id, owner, openKey, privacy, viewer: viewer.id }))
}

/**
 * SQL expression for the rank of the viewer's access to the score of the outer query. It is null without
 * access and for the viewer's own scores.
 */
export function accessRank(viewer: Expression<string>): RawBuilder<number | null> {
  const accessRows = allAccess(scoreOfOuterQuery, viewer)
  return sql<number | null>`case when scores.owner_id <> ${viewer} then ${strongestRank(accessRows)} end`
}

/** The same as `accessRank` for the collection of the outer query. */
export function collectionAccessRank(viewer: Expression<string>): RawBuilder<number | null> {
  const accessRows = grantsTo(viewer, 'collection', sql.ref('collections.id'))
  return sql<number | null>`case when collections.user_id <> ${viewer} then ${strongestRank(accessRows)} end`
}

export const listViewer = (viewer: Caller | undefined): ListViewer => ({
  viewer: viewer?.id ?? '',
  organization: viewer?.organization ?? '',
})

/**
 * SQL condition for whether a list may show the score of the outer query to this viewer. It is the same rule
 * as `rightsOn` for scores that are not in the trash.
 */
export function listableBy({ viewer, organization }: { [K in keyof ListViewer]: Expression<string> }) {
  return (eb: ExpressionBuilder<Tables, 'scores'>): Expression<SqlBool> => {
    const accessRows = allAccess(scoreOfOuterQuery, viewer)
    const isColleague = sql<SqlBool>`owner.organization_id = ${organization}`
    return eb.or([
      eb('scores.owner_id', '=', viewer),
      eb.exists(
        eb
          .selectFrom('users as owner')
          .leftJoin('organizations', 'organizations.id', 'owner.organization_id')
          .whereRef('owner.id', '=', 'scores.owner_id')
          .where(isReachable({ organization }))
          .where(
            sql<SqlBool>`(scores.privacy = 'public' or (scores.privacy = 'organizationPublic' and ${isColleague})
              or ((owner.organization_role is null or owner.organization_role <> 'user' or ${isColleague}) and exists (${accessRows})))`,
          )
          .select('owner.id'),
      ),
    ])
  }
}

export const canRead = (rights: ResourceRights): boolean => rights.aclRead
export const canWrite = (rights: ResourceRights): boolean => rights.aclWrite
export const canAdminister = (rights: ResourceRights): boolean => rights.aclAdmin

/**
 * Checks that the owner may give a score this privacy.
 * @throws PUBLIC_SCORES_DISABLED
 */
export async function checkPrivacy(queries: Queries, owner: string, privacy: ScorePrivacy): Promise<void> {
  if (privacy !== 'public') return
  const user = await findUser(queries, { id: owner })
  if (user && !canBePublic(user.organization_id, user.allows_public_scores)) {
    fail('PUBLIC_SCORES_DISABLED', { param: 'privacy' })
  }
}

/** A score with its owner and the rights of the viewer. */
export interface LoadedScore {
  score: ScoreRow
  owner: OwnerRow
  rights: ResourceRights
  /**
   * Whether the viewer can read the score only through a resource library. That opens the music, but not the
   * comments on it.
   */
  isFromLibrary: boolean
}

/**
 * Loads a score and checks that the viewer has the required right.
 * @param can the right that the operation needs, for example `canWrite`
 * @throws SCORE_NOT_FOUND if the score does not exist or the viewer cannot see it; SCORE_ACCESS_DENIED if the
 *   viewer can
 *   see it but does not have the right
 */
export async function loadScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  can: (rights: ResourceRights) => boolean,
  sharingKey?: string,
): Promise<LoadedScore> {
  const loaded = isId(id) ? await findReadableScore(queries, viewer, id, sharingKey) : undefined
  if (!loaded) failScoreNotFound(id)
  if (!can(loaded.rights)) fail('SCORE_ACCESS_DENIED')
  return loaded
}

/** Returns a score, or undefined if it does not exist or the viewer cannot read it. */
export async function findReadableScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey?: string,
): Promise<LoadedScore | undefined> {
  const row = await findScore(queries, { id, ...listViewer(viewer) })
  if (!row) return undefined
  const { score, owner } = row
  const access = await findAccess(queries, score, viewer)
  const rights = rightsOn(score, owner, viewer, access, sharingKey)
  const isFromLibrary = access?.through === 'library' && !isOpenTo(score, owner, viewer, sharingKey)
  return rights.aclRead ? { score, owner, rights, isFromLibrary } : undefined
}

/** Throws SCORE_NOT_FOUND, or a specific error for an id that names a file in Google Drive. */
export function failScoreNotFound(id: string): never {
  fail(id.startsWith('drive-') ? 'GOOGLE_DRIVE_SCORE_NOT_FOUND' : 'SCORE_NOT_FOUND')
}

/** Returns whether the score exists and the viewer can read it. */
export async function canReadScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey?: string,
): Promise<boolean> {
  return (await findReadableScore(queries, viewer, id, sharingKey)) !== undefined
}

/**
 * Loads a revision of a score.
 * @param idOrLast the id of a revision, or `last` for the newest
 * @throws REVISION_NOT_FOUND
 */
export async function loadRevision(
  queries: Queries,
  score: ScoreRow,
  idOrLast: string,
): Promise<RevisionRow> {
  const id = idOrLast === 'last' ? score.last_revision_id : idOrLast
  const revision = isId(id) ? await findRevision(queries, { score: score.id, id }) : undefined
  if (!revision) fail('REVISION_NOT_FOUND')
  return revision
}
