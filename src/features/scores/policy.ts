import { timingSafeEqual } from 'node:crypto'
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ScorePrivacy } from '../../contract/scores.ts'
import type { ResourceRights } from '../../contract/sharing.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Viewer } from '../../operation.ts'
import { canSeeUser } from '../users/policy.ts'
import { findUser } from '../users/store.ts'
import { type Access, noRights, ownersRights, rankOf, rightsThrough, strongest, wayNumber } from './access.ts'
import type { GrantRow } from './grants.ts'
import { findRevision, type RevisionRow } from './revisions.ts'
import { atOnce, findScore, type ListViewer, type OwnerRow, type ScoreRow, withinReach } from './store.ts'

/** What decides who may do what with a score. */
export interface Protected {
  owner_id: string
  privacy: ScorePrivacy
  sharing_key: string | null
  trashed: 0 | 1
  deletion_at: number | null
}

/** What of its owner decides as well. */
export type ProtectedBy = Pick<OwnerRow, 'organization_id' | 'organization_role' | 'allows_public_scores'>

/**
 * What a viewer may do with a score. One in the trash is for its owner and those who may administer it, one that is being
 * deleted for nobody. `listableBy` is the same rule in a query.
 * @param access what the viewer was given of it, the strongest
 */
export function rightsOn(
  score: Protected,
  owner: ProtectedBy,
  viewer: Viewer,
  access: Access | undefined,
  sharingKey?: string,
): ResourceRights {
  if (score.deletion_at === atOnce) return noRights
  if (viewer?.id === score.owner_id) return ownersRights
  const given = access && canHaveBeenGiven(owner, viewer) ? rightsThrough(access) : undefined
  if (score.trashed) return given?.aclAdmin ? given : noRights
  return given ?? (isOpenTo(score, owner, viewer, sharingKey) ? { ...noRights, aclRead: true } : noRights)
}

/** Whose rights are asked for. */
export interface Caller {
  id: string
  organization?: string | undefined
}

const isColleague = ({ organization_id }: Pick<Member, 'organization_id'>, viewer: Caller | undefined) =>
  organization_id !== null && viewer?.organization === organization_id

/**
 * Whether the viewer may come at all to what this owner has: what is of an organization stays within it unless that is open.
 */
export const isWithinReach = (owner: Reach, viewer: Caller | undefined): boolean =>
  isColleague(owner, viewer) || canBePublic(owner.organization_id, owner.allows_public_scores)

type Reach = Omit<ProtectedBy, 'organization_role'>

/** What was given of a student's scores counts for colleagues alone, also where the student has put one into a collection. */
const canHaveBeenGiven = (owner: ProtectedBy, viewer: Viewer): boolean =>
  isColleague(owner, viewer) || (!isStudent(owner) && isWithinReach(owner, viewer))

/** Whether what this owner has may be given to such people: to those of the same organization, else where all are open. */
export function canBeGivenTo(owner: Reach, to: Reach): boolean {
  const isOpen = (one: Reach) => canBePublic(one.organization_id, one.allows_public_scores)
  return isSameOrganization(owner, to) || (isOpen(owner) && isOpen(to))
}

/** Whether one of them is a student, and the other no member of the same organization: these share nothing. */
export function isStudentOutside(one: Member, other: Member): boolean {
  return !isSameOrganization(one, other) && (isStudent(one) || isStudent(other))
}

type Member = Pick<OwnerRow, 'organization_id' | 'organization_role'>

const isStudent = ({ organization_role }: Pick<Member, 'organization_role'>) => organization_role === 'user'

export const isSameOrganization = (one: Pick<Member, 'organization_id'>, other: Pick<Member, 'organization_id'>) =>
  one.organization_id !== null && one.organization_id === other.organization_id

function isOpenTo(score: Protected, owner: ProtectedBy, viewer: Viewer, sharingKey: string | undefined): boolean {
  switch (score.privacy) {
    case 'public':
      return isWithinReach(owner, viewer)
    case 'organizationPublic':
      return isColleague(owner, viewer)
    case 'privateLink':
      return isWithinReach(owner, viewer) && sharingKey !== undefined && isKeyOf(score, sharingKey)
    case 'private':
      return false
  }
}

/** Whether scores may leave the organization of their owner; an individual account has none that could keep them. */
function canBePublic(organization: string | null, allowsPublicScores: 0 | 1 | null): boolean {
  return organization === null || allowsPublicScores === 1
}

/** Takes the same time wherever the keys differ. */
function isKeyOf({ sharing_key }: Protected, given: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(sharing_key ?? '')]
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Whether a viewer with these rights is told who has a grant. Groups and addresses are for those who are among them. Others
 * are told of individual accounts and of their colleagues; nobody of whom they may not know at all.
 */
export function canSeeGrant(grant: GrantRow, rights: ResourceRights, viewer: Viewer): boolean {
  const { user_id: id, organization_id, allows_public_scores } = grant
  if (id === null) return rights.isCollaborator === true
  if (rights.isCollaborator) return canSeeUser(viewer, { id, organization_id, allows_public_scores })
  return organization_id === null || viewer?.organization === organization_id
}

/** A score in a query: one of the outer query, or one that is known. */
interface ScoreInQuery {
  id: Expression<string>
  owner: Expression<string>
  /** Its sharing key where its privacy is `privateLink`. */
  openKey: Expression<string | null>
  privacy: Expression<string>
}

const scoreOfOuterQuery: ScoreInQuery = {
  id: sql.ref('scores.id'),
  owner: sql.ref('scores.owner_id'),
  openKey: sql`case scores.privacy when 'privateLink' then scores.sharing_key end`,
  privacy: sql.ref('scores.privacy'),
}

/** A row for each thing that gives access. */
type Given = { level: number; way: number }

/** What grants to the viewer give, and what those to the viewer's groups do: each is looked up by who holds it. */
function grantedTo(
  viewer: Expression<string>,
  gives: Record<'level' | 'alone' | 'inGroup' | 'from', RawBuilder<unknown>>,
) {
  const { level, alone, inGroup, from } = gives
  return sql<Given>`
    select ${level} as level, ${alone} as way ${from} and grants.user_id = ${viewer}
    union all
    select ${level}, ${inGroup} ${from} and grants.group_id in (select group_id from group_members where user_id = ${viewer})`
}

/** The grants on a score or a collection that the viewer has, alone or with a group. */
function grantsTo(viewer: Expression<string>, on: 'score' | 'collection', id: Expression<string>) {
  return grantedTo(viewer, {
    level: sql`grants.level`,
    alone: sql.lit(wayNumber('user')),
    inGroup: sql.lit(wayNumber('group')),
    from: sql`from grants where ${sql.ref(`grants.${on}_id`)} = ${id}`,
  })
}

/** The rank of the strongest of them; null where there is none. */
const strongestOf = (given: RawBuilder<Given>) =>
  sql<number | null>`(select max(level * ${sql.lit(rankOf(1, 0))} + way) from (${given}) as given)`

/**
 * Everything that gives a viewer access to a score, a row each (`level`, `way`): what the viewer was given, and an
 * assignment in a library that is open to the viewer, who does not study.
 */
const accessTo = (score: ScoreInQuery, viewer: Expression<string>) => sql<Given>`
  ${givenOf(score, viewer)}
  union all
  ${inLibraries(score, viewer)}`

/**
 * What a viewer was given of a score: grants to the viewer or to a group of the viewer's; a collection that the viewer owns
 * or was given, into which the score's owner has put it, which never gives more than writing; and a collection into which
 * the viewer has put it by its link, as long as that still opens it.
 */
function givenOf({ id, owner, openKey }: ScoreInQuery, viewer: Expression<string>) {
  const way = sql.lit(wayNumber('collection'))
  const collected = sql`from collection_scores
      inner join collections on collections.id = collection_scores.collection_id`
  const byOwner = sql`collection_scores.score_id = ${id} and collection_scores.added_by = ${owner}
      and collections.deletion_at is null`
  return sql<Given>`
    ${grantsTo(viewer, 'score', id)}
    union all
    select 2, ${way} ${collected} where ${byOwner} and collections.user_id = ${viewer}
    union all
    ${grantedTo(viewer, {
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
 * Found from the score, which few assignments have. `isSeen` of features/edu-resources/policy.ts as a condition, for what
 * is open to others. Nobody hands on more than they have: whoever has attached it must be able to read it still, and by
 * another way than a library.
 */
function inLibraries(score: ScoreInQuery, viewer: Expression<string>) {
  const attacher = sql.ref<string>('attacher.id')
  return sql<Given>`
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
                and exists (${givenOf(score, attacher)})
              )
            )
          )
        )`
}

const accessById = compiled(
  (db, p: Params<{ score: string; owner: string; openKey: string | null; privacy: string; viewer: string }>) => {
    const score = { id: p('score'), owner: p('owner'), openKey: p('openKey'), privacy: p('privacy') }
    return db.selectFrom(sql<Given>`(${accessTo(score, p('viewer'))})`.as('given')).select(['given.level', 'given.way'])
  },
)

/** What a viewer was given of a score that belongs to another. */
async function findAccess(queries: Queries, score: ScoreRow, viewer: Viewer): Promise<Access | undefined> {
  if (!viewer || viewer.id === score.owner_id) return undefined
  const openKey = score.privacy === 'privateLink' ? score.sharing_key : null
  const { id, owner_id: owner, privacy } = score
  return strongest(await accessById(queries, { score: id, owner, openKey, privacy, viewer: viewer.id }))
}

/** The rank of the access that the viewer has to the score of the outer query; null for none, and for one's own. */
export function accessRank(viewer: Expression<string>): RawBuilder<number | null> {
  const given = accessTo(scoreOfOuterQuery, viewer)
  return sql<number | null>`case when scores.owner_id <> ${viewer} then ${strongestOf(given)} end`
}

/** The same for the collection of the outer query. */
export function collectionAccessRank(viewer: Expression<string>): RawBuilder<number | null> {
  const given = grantsTo(viewer, 'collection', sql.ref('collections.id'))
  return sql<number | null>`case when collections.user_id <> ${viewer} then ${strongestOf(given)} end`
}

export const listViewer = (viewer: Caller | undefined): ListViewer => ({
  viewer: viewer?.id ?? '',
  organization: viewer?.organization ?? '',
})

/**
 * Whether a list may show this viewer the score of the outer query: `rightsOn` as a condition, for scores that are not in
 * the trash.
 */
export function listableBy({ viewer, organization }: { [K in keyof ListViewer]: Expression<string> }) {
  return (eb: ExpressionBuilder<Tables, 'scores'>): Expression<SqlBool> => {
    const given = accessTo(scoreOfOuterQuery, viewer)
    const isColleague = sql<SqlBool>`owner.organization_id = ${organization}`
    return eb.or([
      eb('scores.owner_id', '=', viewer),
      eb.exists(
        eb
          .selectFrom('users as owner')
          .leftJoin('organizations', 'organizations.id', 'owner.organization_id')
          .whereRef('owner.id', '=', 'scores.owner_id')
          .where(withinReach({ organization }))
          .where(
            sql<SqlBool>`(scores.privacy = 'public' or (scores.privacy = 'organizationPublic' and ${isColleague})
              or ((owner.organization_role is null or owner.organization_role <> 'user' or ${isColleague}) and exists (${given})))`,
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
 * Whether the owner may give a score this privacy.
 * @throws PUBLIC_SCORES_DISABLED
 */
export async function checkPrivacy(queries: Queries, owner: string, privacy: ScorePrivacy): Promise<void> {
  if (privacy !== 'public') return
  const user = await findUser(queries, { id: owner })
  if (user && !canBePublic(user.organization_id, user.allows_public_scores)) {
    fail('PUBLIC_SCORES_DISABLED', { param: 'privacy' })
  }
}

/** A score, whose it is, and what its viewer may do with it. */
export interface LoadedScore {
  score: ScoreRow
  owner: OwnerRow
  rights: ResourceRights
  /** Whether the viewer reads it by a library alone, which opens the music and not what is said about it. */
  isFromLibrary: boolean
}

/**
 * The score, for someone who may do this with it.
 * @throws SCORE_NOT_FOUND when there is none that the viewer may see; SCORE_ACCESS_DENIED when it may only be seen
 */
export async function loadScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  can: (rights: ResourceRights) => boolean,
  sharingKey?: string,
): Promise<LoadedScore> {
  const loaded = isId(id) ? await findReadable(queries, viewer, id, sharingKey) : undefined
  if (!loaded) failNotFound(id)
  if (!can(loaded.rights)) fail('SCORE_ACCESS_DENIED')
  return loaded
}

/** A score, if it is there and the viewer may read it. */
export async function findReadable(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey?: string,
): Promise<LoadedScore | undefined> {
  const found = await findScore(queries, { id, ...listViewer(viewer) })
  if (!found) return undefined
  const { score, owner } = found
  const access = await findAccess(queries, score, viewer)
  const rights = rightsOn(score, owner, viewer, access, sharingKey)
  const isFromLibrary = access?.through === 'library' && !isOpenTo(score, owner, viewer, sharingKey)
  return rights.aclRead ? { score, owner, rights, isFromLibrary } : undefined
}

/** There is no such score; what names a file in Google Drive is told why. */
export function failNotFound(id: string): never {
  fail(id.startsWith('drive-') ? 'GOOGLE_DRIVE_SCORE_NOT_FOUND' : 'SCORE_NOT_FOUND')
}

/** Whether the viewer may read a score, if it is there at all. */
export async function mayRead(queries: Queries, viewer: Viewer, id: string, sharingKey?: string): Promise<boolean> {
  return (await findReadable(queries, viewer, id, sharingKey)) !== undefined
}

/** A revision of a score that was loaded; `last` is the newest. @throws REVISION_NOT_FOUND */
export async function loadRevision(queries: Queries, score: ScoreRow, idOrLast: string): Promise<RevisionRow> {
  const id = idOrLast === 'last' ? score.last_revision_id : idOrLast
  const revision = isId(id) ? await findRevision(queries, { score: score.id, id }) : undefined
  if (!revision) fail('REVISION_NOT_FOUND')
  return revision
}
