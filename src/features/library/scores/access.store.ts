import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import type { Viewer } from '../../../actor.ts'
import { type Access, rankOf, strongest, wayNumber } from '../sharing/access.ts'
import type { ScoreRow } from './store.ts'

/** The viewer of a list and the viewer's organization. Each is an empty string if there is none. */
export interface ListViewer {
  viewer: string
  organization: string
}

export type ViewerInQuery = { [K in keyof ListViewer]: Expression<string> }

/**
 * SQL condition for whether the viewer can reach anything of the user `owner` of the query. The query must
 * join the owner's `organizations`. Content of an organization stays within it unless the organization allows
 * public scores. Content of a removed user is not reachable.
 */
export const isReachable = ({ organization }: Pick<ViewerInQuery, 'organization'>) =>
  sql<SqlBool>`owner.deletion_at is null and (owner.organization_id is null or organizations.allows_public_scores = 1
    or owner.organization_id = ${organization})`

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
  columns: Record<'level' | 'alone' | 'inGroup' | 'from', RawBuilder<unknown>>,
) {
  const { level, alone, inGroup, from } = columns
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
 * assignments have it attached. It is the SQL form of `isVisible` in teaching/resources/policy.ts, for libraries
 * that other users can see. The user who attached the score must still be able to read it, and not only
 * through another library. A user cannot pass on more access than the user has.
 */
function libraryAccess(score: ScoreInQuery, viewer: Expression<string>) {
  const attachingUser = sql.ref<string>('attacher.id')
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
                and exists (${grantedAccess(score, attachingUser)})
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
export async function findAccess(
  queries: Queries,
  score: ScoreRow,
  viewer: Viewer,
): Promise<Access | undefined> {
  if (!viewer || viewer.id === score.owner_id) return undefined
  const openKey = score.privacy === 'privateLink' ? score.sharing_key : null
  const { id, owner_id: owner, privacy } = score
  return strongest(await accessById(queries, { score: id, owner, openKey, privacy, viewer: viewer.id }))
}

/**
 * SQL expression for the rank of the viewer's access to the score of the outer query. It is null without
 * access and for the viewer's own scores.
 */
function accessRank(viewer: Expression<string>): RawBuilder<number | null> {
  const accessRows = allAccess(scoreOfOuterQuery, viewer)
  return sql<number | null>`case when scores.owner_id <> ${viewer} then ${strongestRank(accessRows)} end`
}

const accessRanks = compiled((db, p: Params<{ scores: readonly string[]; viewer: string }>) =>
  db
    .selectFrom('scores')
    .where(p.isIn('scores.id', 'scores'))
    .select(['scores.id', accessRank(p('viewer')).as('access')]),
)

/** Returns the rank of the viewer's access to each of these scores, by their ids. */
export async function listAccessRanks(
  queries: Queries,
  scores: readonly string[],
  viewer: string,
): Promise<Map<string, number | null>> {
  const rows = scores.length > 0 ? await accessRanks(queries, { scores, viewer }) : []
  return new Map(rows.map(({ id, access }) => [id, access]))
}

/** The same as `accessRank` for the collection of the outer query. */
export function collectionAccessRank(viewer: Expression<string>): RawBuilder<number | null> {
  const accessRows = grantsTo(viewer, 'collection', sql.ref('collections.id'))
  return sql<number | null>`case when collections.user_id <> ${viewer} then ${strongestRank(accessRows)} end`
}

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
