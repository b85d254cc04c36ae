import { type Expression, type SqlBool, sql } from 'kysely'
import type { ScoreSort } from '../../../contract/paging.ts'
import type { ScorePrivacy } from '../../../contract/scores.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { containsPattern, matchesAll } from '../../../platform/db/expressions.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import type { KeyType } from '../../../lib/cursors.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import type { Viewer } from '../../../actor.ts'
import type { PageCursors } from '../../../answer.ts'
import { listViewer } from './policy.ts'
import { listAccessRanks, listableBy, type ListViewer, type ViewerInQuery } from './access.store.ts'
import { searchWords, wordStarts } from './search-key.ts'
import { listOwners, type OwnerRow, type ScoreRow, scoreColumns } from './store.ts'
import { immediateDeletion } from './trash.store.ts'
import { listCollectionsOf } from './collection-scores.store.ts'

/** Identifies a list of scores. */
export type ScoreList = CollectionScoreList | GroupScoreList | UserScoreList

/** @property owner the owner of the collection, if it is known */
type CollectionScoreList = { in: 'collection'; collection: string; owner?: OwnerRow }

/** Scores shared with a group, as far as the viewer can see them. */
type GroupScoreList = { in: 'group'; group: string }

/**
 * A list of scores of a user:
 * - `library`: the scores that the user owns, without those in the trash
 * - `trash`: the scores that the user owns and has deleted, while they can be restored
 * - `published`: the public scores that the user owns, without those in the trash
 * - `shared`: scores shared with the user, and scores the user has shared, as far as the viewer can see them
 * - `liked`: scores the user likes, as far as the viewer can see them
 */
export type UserScoreList = { in: 'library' | 'trash' | 'published' | 'shared' | 'liked'; user: string }

/** A score in a list, with the rank of the viewer's access to it (see sharing/access.ts). */
export type ListedScore = ScoreRow & { access: number | null }

/** Scores of a list with their owners by id. An owner who was deleted meanwhile is missing. */
export interface ListedScores {
  rows: ListedScore[]
  owners: ReadonlyMap<string, OwnerRow>
}

/** The columns of a score that are the same for each viewer. */
type CommonRow = Omit<ScoreRow, 'collections'>

/**
 * @property search words that must all occur in the texts of a score
 * @property composer beginnings of words that must all occur in the name of the composer
 * @property instrument the same in the names of the instruments
 * @property owner only scores of the viewer, or only scores of others
 * @property parent the id of a score; only copies of it are listed
 */
export type ScorePageRequest = PageRequest & {
  sort: ScoreSort
  search?: string | undefined
  composer?: string | undefined
  instrument?: string | undefined
  privacy?: ScorePrivacy | undefined
  owner?: 'me' | 'others' | undefined
  parent?: string | undefined
}

/** The column of each order, in `scores` and in `collection_scores`. */
export const sortColumns = {
  composer: 'composer_key',
  creationDate: 'created_at',
  duration: 'duration',
  modificationDate: 'modified_at',
  title: 'title_key',
} as const satisfies Record<ScoreSort, string>

/** The type of the column of each order. */
const keyTypes = {
  composer: 'string',
  creationDate: 'number',
  duration: 'real',
  modificationDate: 'number',
  title: 'string',
} as const satisfies Record<ScoreSort, KeyType>

type Variant = KeysetVariant & { sort: ScoreSort; searched: boolean; copies: boolean } & Pick<
    ScorePageRequest,
    'privacy' | 'owner'
  >

/** Whether a query passes over scores until its page is full. */
const isScan = ({ searched, privacy, owner }: Variant): boolean =>
  searched || privacy !== undefined || owner !== undefined

/** SQL conditions for the scores of the outer query that a request wants to see. */
const isWanted = (
  { searched, privacy, owner }: Variant,
  patterns: Expression<string>,
  viewer: Expression<string>,
): Expression<SqlBool>[] => [
  ...(searched ? [matchesAll('scores.search_key', patterns)] : []),
  ...(privacy === undefined ? [] : [sql<SqlBool>`scores.privacy = ${sql.lit(privacy)}`]),
  ...(owner === undefined
    ? []
    : [sql<SqlBool>`scores.owner_id ${sql.raw(owner === 'me' ? '=' : '<>')} ${viewer}`]),
]
type ScoreListKind = UserScoreList['in'] | GroupScoreList['in']
type ListIdParams = ListViewer & { listId: string }
type ListParams = KeysetParams & ListIdParams & { patterns: readonly string[]; parent: string }

type ListInQuery = ViewerInQuery & { listId: ViewerInQuery['viewer'] }

/**
 * Adds the columns that depend on the viewer to the scores of a page, and the owners. The queries are sent together.
 * @param known an owner who need not be read
 */
async function withRelations<Row extends CommonRow>(
  queries: Queries,
  by: ListViewer,
  rows: readonly Row[],
  known?: OwnerRow,
): Promise<{ rows: (Row & ListedScore)[]; owners: Map<string, OwnerRow> }> {
  const ids = rows.map(({ id }) => id)
  const ofOthers = by.viewer === '' ? [] : rows.filter(({ owner_id }) => owner_id !== by.viewer)
  const [collections, ranks, owners] = await Promise.all([
    listCollectionsOf(queries, by.viewer === '' ? [] : ids, by),
    listAccessRanks(
      queries,
      ofOthers.map(({ id }) => id),
      by.viewer,
    ),
    listOwners(
      queries,
      rows.map(({ owner_id }) => owner_id).filter((owner) => owner !== known?.id),
    ),
  ])
  if (known) owners.set(known.id, known)
  const ofViewer = ({ id }: Row) => ({
    collections: collections.get(id) ?? null,
    access: ranks.get(id) ?? null,
  })
  // A copy of a row with as many columns would cost more than its presentation.
  return { rows: rows.map((row) => Object.assign(row, ofViewer(row))), owners }
}

/** @property isChecked whether the query leaves out the scores that the viewer may not see */
type CollectionVariant = Variant & { isChecked: boolean }

const inCollection = forEachVariant((variant: CollectionVariant) =>
  compiled(
    (db, p: Params<ListParams>) => {
      const by = { viewer: p('viewer'), organization: p('organization') }
      const start = { key: p('key'), id: p('id') }
      const column = `collection_scores.${sortColumns[variant.sort]}`
      const { where, orderBy, limit } = keyset(variant, column, 'collection_scores.score_id', start)
      return db
        .selectFrom('scores')
        .innerJoin('collection_scores', 'collection_scores.score_id', 'scores.id')
        .where('collection_scores.collection_id', '=', p('listId'))
        .where('collection_scores.trashed', '=', 0)
        .where(where)
        .$if(isScan(variant), (query) =>
          query.where(({ and }) => and(isWanted(variant, p.list('patterns'), p('viewer')))),
        )
        .$if(variant.isChecked, (query) => query.where(listableBy(by)))
        .select(scoreColumns)
        .orderBy(orderBy)
        .limit(limit)
    },
    { isScan: isScan(variant) },
  ),
)

/**
 * Reads one page of the scores in a collection. In a collection of the viewer, mostly all are scores of the viewer. They are
 * then read without the check of the access to each score, which costs the database four times as much as the scores.
 */
async function readCollection(
  queries: Queries,
  { owner }: CollectionScoreList,
  variant: Variant,
  params: ListParams,
): Promise<CommonRow[]> {
  if (owner?.id === params.viewer) {
    const rows = await inCollection({ ...variant, isChecked: false })(queries, params)
    if (rows.every(({ owner_id }) => owner_id === params.viewer)) return rows
  }
  return inCollection({ ...variant, isChecked: true })(queries, params)
}

/** Selects the scores of a user's or a group's list. All queries for such lists start here. */
function scoresIn(
  db: Pick<Queries, 'selectFrom'>,
  kind: ScoreListKind,
  by: ListInQuery,
  { isIn }: Pick<Params<ListIdParams>, 'isIn'>,
) {
  const scores = db.selectFrom('scores').where('scores.trashed', '=', kind === 'trash' ? 1 : 0)
  const own = scores.where('scores.owner_id', '=', by.listId)
  switch (kind) {
    case 'library':
      return own
    case 'trash':
      return own.where('scores.deletion_at', '!=', immediateDeletion)
    case 'published':
      return own.where('scores.privacy', '=', 'public')
    case 'liked': {
      const liked = db.selectFrom('score_likes').where('user_id', '=', by.listId).select('score_id')
      return scores.where(isIn('scores.id', liked)).where(listableBy(by))
    }
    case 'group': {
      const granted = db
        .selectFrom('grants')
        .where('group_id', '=', by.listId)
        .where('score_id', 'is not', null)
      const ids = granted.select((eb) => eb.ref('score_id').$notNull().as('id'))
      return scores.where(isIn('scores.id', ids)).where(listableBy(by))
    }
    case 'shared': {
      const grants = db.selectFrom('grants').select((eb) => eb.ref('score_id').$notNull().as('id'))
      const toUser = grants.where('user_id', '=', by.listId).where('score_id', 'is not', null)
      const toGroups = grants
        .innerJoin('group_members', 'group_members.group_id', 'grants.group_id')
        .where('group_members.user_id', '=', by.listId)
        .where('score_id', 'is not', null)
      const byUser = db
        .selectFrom('scores')
        .where('owner_id', '=', by.listId)
        .where('grants', '>', 0)
        .select('id')
      const shared = toUser.unionAll(toGroups).unionAll(byUser)
      return scores.where(isIn('scores.id', shared)).where(listableBy(by))
    }
  }
}

const inList = forEachVariant((variant: Variant & { in: ScoreListKind }) =>
  compiled(
    (db, p: Params<ListParams>) => {
      const by = { viewer: p('viewer'), organization: p('organization'), listId: p('listId') }
      const start = { key: p('key'), id: p('id') }
      const { where, orderBy, limit } = keyset(
        variant,
        `scores.${sortColumns[variant.sort]}`,
        'scores.id',
        start,
      )
      // The full rows are joined only for the page.
      const page = scoresIn(db, variant.in, by, p)
        .where(where)
        .$if(variant.copies, (query) => query.where('scores.parent_score_id', '=', p('parent')))
        .$if(isScan(variant), (query) =>
          query.where(({ and }) => and(isWanted(variant, p.list('patterns'), p('viewer')))),
        )
        .select('scores.id')
        .orderBy(orderBy)
        .limit(limit)
      return db
        .selectFrom(page.as('page'))
        .innerJoin('scores', 'scores.id', 'page.id')
        .select(scoreColumns)
        .orderBy(orderBy)
    },
    { isScan: isScan(variant) },
  ),
)

/** Lists one page of scores in at most five queries. */
export async function listScores(
  queries: Queries,
  viewer: Viewer,
  list: ScoreList,
  request: ScorePageRequest,
): Promise<ListedScores & { cursors: PageCursors }> {
  const { sort, direction, parent } = request
  const start = pageStart(request, keyTypes[sort])
  const { position, key, id, limit } = start
  const { privacy, owner: wantedOwner } = request
  const patterns = [
    ...searchWords(request.search ?? ''),
    ...wordStarts(request.composer ?? '', 'composer'),
    ...wordStarts(request.instrument ?? '', 'instrument'),
  ].map(containsPattern)
  const copies = parent !== undefined
  const variant = {
    sort,
    direction,
    position,
    limit,
    searched: patterns.length > 0,
    copies,
    privacy,
    owner: wantedOwner,
  }
  const by = listViewer(viewer)
  const params = { key, id, ...by, patterns, parent: parent ?? '' }
  const rows =
    list.in === 'collection'
      ? await readCollection(queries, list, variant, { ...params, listId: list.collection })
      : await inList({ ...variant, in: list.in })(queries, {
          ...params,
          listId: list.in === 'group' ? list.group : list.user,
        })
  const page = pageOf(request, start, rows, (row) => row[sortColumns[sort]])
  const owner = list.in === 'collection' ? list.owner : undefined
  return { ...page, ...(await withRelations(queries, by, page.rows, owner)) }
}

/** Maximum number of scores in a response without paging, and the number of rows per query. */
const maxWholeList = 1000
const batchSize = 100

/**
 * Lists scores like `listScores`, but reads pages up to `maxWholeList` scores and ignores the requested
 * limit.
 */
export async function listWholeScoreList(
  ...[queries, viewer, list, request]: Parameters<typeof listScores>
): ReturnType<typeof listScores> {
  const rows: ListedScore[] = []
  const owners = new Map<string, OwnerRow>()
  let next = request.next
  do {
    const pageRequest = { ...request, limit: batchSize, next, previous: undefined }
    const page = await listScores(queries, viewer, list, pageRequest)
    rows.push(...page.rows)
    for (const [id, owner] of page.owners) owners.set(id, owner)
    next = page.cursors.next
  } while (next && rows.length < maxWholeList)
  return { rows, owners, cursors: { next } }
}

const likes = forEachVariant((variant: KeysetVariant) =>
  compiled((db, p: Params<KeysetParams & ListIdParams>) => {
    const by = { viewer: p('viewer'), organization: p('organization') }
    const start = { key: p('key'), id: p('id') }
    const { where, orderBy, limit } = keyset(variant, 'score_likes.created_at', 'score_likes.score_id', start)
    const page = db
      .selectFrom('score_likes')
      .where('score_likes.user_id', '=', p('listId'))
      .where(where)
      // The subquery is a value, so that no query planner starts from all scores.
      .where(({ eb, selectFrom, lit }) =>
        eb(
          selectFrom('scores')
            .whereRef('scores.id', '=', 'score_likes.score_id')
            .where('scores.trashed', '=', 0)
            .where(listableBy(by))
            .select(lit(1).as('isShown')),
          '=',
          lit(1),
        ),
      )
      .select(['score_likes.score_id', 'score_likes.created_at'])
      .orderBy(orderBy)
      .limit(limit)
    return db
      .selectFrom(page.as('score_likes'))
      .innerJoin('scores', 'scores.id', 'score_likes.score_id')
      .select(scoreColumns)
      .select('score_likes.created_at as liked_at')
      .orderBy(orderBy)
  }),
)

/**
 * Lists one page of the scores that a user likes and the viewer can see, the newest like first, in at most four queries.
 */
export async function listLikes(
  queries: Queries,
  viewer: Viewer,
  user: string,
  page: Omit<PageRequest, 'sort' | 'direction'>,
): Promise<ListedScores & { cursors: PageCursors }> {
  const request = { ...page, sort: 'likeDate', direction: 'desc' } as const
  const start = pageStart(request, 'number')
  const { position, key, id, limit } = start
  const by = listViewer(viewer)
  const params = { key, id, ...by, listId: user }
  const rows = await likes({ direction: request.direction, position, limit })(queries, params)
  const listed = pageOf(request, start, rows, ({ liked_at }) => liked_at)
  return { ...listed, ...(await withRelations(queries, by, listed.rows)) }
}

const counts = forEachVariant((list: { in: UserScoreList['in'] }) =>
  compiled((db, p: Params<ListIdParams>) => {
    const by = { viewer: p('viewer'), organization: p('organization'), listId: p('listId') }
    return scoresIn(db, list.in, by, p).select((eb) => eb.fn.countAll<number>().as('count'))
  }),
)

/**
 * Returns the number of scores in a user's list that the viewer can see. Of the list of the caller, the viewer and
 * `list.user` are the same person.
 */
export async function countListedScores(
  queries: Queries,
  viewer: Viewer,
  list: UserScoreList,
): Promise<number> {
  const [row] = await counts({ in: list.in })(queries, { ...listViewer(viewer), listId: list.user })
  return row?.count ?? 0
}

const published = compiled((db, p: Params<ListIdParams>) => {
  const by = { viewer: p('viewer'), organization: p('organization'), listId: p('listId') }
  return scoresIn(db, 'published', by, p).select(({ fn }) => [
    fn.countAll<number>().as('scores'),
    fn.sum<number | null>('scores.likes').as('likes'),
    fn.sum<number | null>('scores.plays').as('plays'),
  ])
})

/** Returns the number of public scores of a user, and how often they were liked and played. */
export async function countPublished(
  queries: Queries,
  user: string,
): Promise<{ scores: number; likes: number; plays: number }> {
  const [row] = await published(queries, { ...listViewer(undefined), listId: user })
  return { scores: row?.scores ?? 0, likes: row?.likes ?? 0, plays: row?.plays ?? 0 }
}
