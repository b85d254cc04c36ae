import type { ListSort } from '../../contract/paging.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { containing, matchesAll } from '../../db/expressions.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import type { PageCursors, Viewer } from '../../operation.ts'
import { accessRank, listableBy, listViewer } from './policy.ts'
import { wordsOf } from './search-key.ts'
import { atOnce, collectionsOf, type ListViewer, type ScoreRow, scoreColumns } from './store.ts'

/** Which scores a list shows. */
export type ScorePlace = { in: 'collection'; collection: string } | GroupPlace | UserPlace

/** What was given to a group, as far as the viewer may see it. */
type GroupPlace = { in: 'group'; group: string }

/**
 * Of a user: all of the user's own that are not in the trash, those in it, or those that everybody may see; or those that
 * the user has shared with others or they with the user, or that the user likes, as far as the viewer may see them.
 */
export type UserPlace = { in: 'library' | 'trash' | 'published' | 'shared' | 'liked'; user: string }

/** A score of a list, and the rank of what its viewer was given of it (access.ts). */
export type ListedScore = ScoreRow & { access: number | null }

/**
 * @property search what a score must have in its texts: every word of it
 * @property parent the score of which it must be a copy
 */
export type ScorePageRequest = PageRequest & {
  sort: ListSort
  search?: string | undefined
  parent?: string | undefined
}

const columns = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const

type Variant = KeysetVariant & { sort: ListSort; searched: boolean; copies: boolean }
type PlaceName = UserPlace['in'] | GroupPlace['in']
type PlaceParams = ListViewer & { place: string }
type ListParams = KeysetParams & PlaceParams & { patterns: readonly string[]; parent: string }

type ViewerInQuery = Parameters<typeof listableBy>[0]
type PlaceInQuery = ViewerInQuery & { place: ViewerInQuery['viewer'] }

/** What is asked of each score for its viewer. */
const forViewer = (by: ViewerInQuery) => (eb: Parameters<typeof collectionsOf>[0]) =>
  [collectionsOf(eb, by).as('collections'), accessRank(by.viewer).as('access')] as const

const inCollection = forEachVariant((variant: Variant) =>
  compiled((db, p: Params<ListParams>) => {
    const by = { viewer: p('viewer'), organization: p('organization') }
    const start = { key: p('key'), id: p('id') }
    const column = `collection_scores.${columns[variant.sort]}`
    const { where, orderBy, limit } = keyset(variant, column, 'collection_scores.score_id', start)
    return db
      .selectFrom('scores')
      .innerJoin('collection_scores', 'collection_scores.score_id', 'scores.id')
      .where('collection_scores.collection_id', '=', p('place'))
      .where('collection_scores.trashed', '=', 0)
      .where(where)
      .$if(variant.searched, (query) => query.where(matchesAll('scores.search_key', p.list('patterns'))))
      .where(listableBy(by))
      .select(scoreColumns)
      .select(forViewer(by))
      .orderBy(orderBy)
      .limit(limit)
  }),
)

/** The scores of a user's or a group's place, where every query for them begins. */
function scoresIn(db: Pick<Queries, 'selectFrom'>, place: PlaceName, by: PlaceInQuery) {
  const scores = db.selectFrom('scores').where('scores.trashed', '=', place === 'trash' ? 1 : 0)
  const own = scores.where('scores.owner_id', '=', by.place)
  switch (place) {
    case 'library':
      return own
    case 'trash':
      return own.where('scores.deletion_at', '!=', atOnce)
    case 'published':
      return own.where('scores.privacy', '=', 'public')
    case 'liked': {
      const liked = db.selectFrom('score_likes').where('user_id', '=', by.place).select('score_id')
      return scores.where('scores.id', 'in', liked).where(listableBy(by))
    }
    case 'group': {
      const given = db.selectFrom('grants').where('group_id', '=', by.place).where('score_id', 'is not', null)
      const ids = given.select((eb) => eb.ref('score_id').$notNull().as('id'))
      return scores.where('scores.id', 'in', ids).where(listableBy(by))
    }
    case 'shared': {
      const grants = db.selectFrom('grants').select((eb) => eb.ref('score_id').$notNull().as('id'))
      const toUser = grants.where('user_id', '=', by.place).where('score_id', 'is not', null)
      const toGroups = grants
        .innerJoin('group_members', 'group_members.group_id', 'grants.group_id')
        .where('group_members.user_id', '=', by.place)
        .where('score_id', 'is not', null)
      const byUser = db.selectFrom('scores').where('owner_id', '=', by.place).where('grants', '>', 0).select('id')
      const shared = toUser.unionAll(toGroups).unionAll(byUser)
      return scores.where('scores.id', 'in', shared).where(listableBy(by))
    }
  }
}

const inPlace = forEachVariant((variant: Variant & { in: PlaceName }) =>
  compiled((db, p: Params<ListParams>) => {
    const by = { viewer: p('viewer'), organization: p('organization'), place: p('place') }
    const start = { key: p('key'), id: p('id') }
    const { where, orderBy, limit } = keyset(variant, `scores.${columns[variant.sort]}`, 'scores.id', start)
    // Only what is on the page is looked up in full.
    const page = scoresIn(db, variant.in, by)
      .where(where)
      .$if(variant.copies, (query) => query.where('scores.parent_score_id', '=', p('parent')))
      .$if(variant.searched, (query) => query.where(matchesAll('scores.search_key', p.list('patterns'))))
      .select('scores.id')
      .orderBy(orderBy)
      .limit(limit)
    return db
      .selectFrom(page.as('page'))
      .innerJoin('scores', 'scores.id', 'page.id')
      .select(scoreColumns)
      .select(forViewer(by))
      .orderBy(orderBy)
  }),
)

/** A page of scores, in one query. */
export async function listScores(
  queries: Queries,
  viewer: Viewer,
  place: ScorePlace,
  request: ScorePageRequest,
): Promise<{ rows: ListedScore[]; cursors: PageCursors }> {
  const { sort, direction, parent } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const patterns = wordsOf(request.search ?? '').map(containing)
  const copies = parent !== undefined
  const variant = { sort, direction, position, limit, searched: patterns.length > 0, copies }
  const params = { key, id, ...listViewer(viewer), patterns, parent: parent ?? '' }
  const rows =
    place.in === 'collection'
      ? await inCollection(variant)(queries, { ...params, place: place.collection })
      : await inPlace({ ...variant, in: place.in })(queries, {
          ...params,
          place: place.in === 'group' ? place.group : place.user,
        })
  return pageOf(request, start, rows, (row) => row[columns[sort]])
}

/** The most scores in an answer that is not asked for page by page, and how many of them are read at a time. */
const mostAtOnce = 1000
const readAtOnce = 100

/** The same, a page at a time until the list or what one answer may have is at its end, whatever limit is asked for. */
export async function listManyScores(...[queries, viewer, place, asked]: Parameters<typeof listScores>) {
  const rows: ListedScore[] = []
  let next = asked.next
  do {
    const request = { ...asked, limit: readAtOnce, next, previous: undefined }
    const page = await listScores(queries, viewer, place, request)
    rows.push(...page.rows)
    next = page.cursors.next
  } while (next && rows.length < mostAtOnce)
  return { rows, cursors: { next } }
}

const likes = forEachVariant((variant: KeysetVariant) =>
  compiled((db, p: Params<KeysetParams & PlaceParams>) => {
    const by = { viewer: p('viewer'), organization: p('organization') }
    const start = { key: p('key'), id: p('id') }
    const { where, orderBy, limit } = keyset(variant, 'score_likes.created_at', 'score_likes.score_id', start)
    return db
      .selectFrom('scores')
      .innerJoin('score_likes', 'score_likes.score_id', 'scores.id')
      .where('score_likes.user_id', '=', p('place'))
      .where('scores.trashed', '=', 0)
      .where(where)
      .where(listableBy(by))
      .select(scoreColumns)
      .select('score_likes.created_at as liked_at')
      .select(forViewer(by))
      .orderBy(orderBy)
      .limit(limit)
  }),
)

/** A page of what a user likes and the viewer may see, the newest like first, in one query. */
export async function listLikes(
  queries: Queries,
  viewer: Viewer,
  user: string,
  asked: Omit<PageRequest, 'sort' | 'direction'>,
): Promise<{ rows: ListedScore[]; cursors: PageCursors }> {
  const request = { ...asked, sort: 'likeDate', direction: 'desc' } as const
  const start = pageStart(request, 'number')
  const { position, key, id, limit } = start
  const params = { key, id, ...listViewer(viewer), place: user }
  const rows = await likes({ direction: request.direction, position, limit })(queries, params)
  return pageOf(request, start, rows, ({ liked_at }) => liked_at)
}

const counts = forEachVariant((place: { in: UserPlace['in'] }) =>
  compiled((db, p: Params<PlaceParams>) => {
    const by = { viewer: p('viewer'), organization: p('organization'), place: p('place') }
    return scoresIn(db, place.in, by).select((eb) => eb.fn.countAll<number>().as('count'))
  }),
)

/** How many scores such a list has in all. */
export async function countScores(queries: Queries, viewer: Viewer, place: UserPlace): Promise<number> {
  const [row] = await counts({ in: place.in })(queries, { ...listViewer(viewer), place: place.user })
  return row?.count ?? 0
}

const published = compiled((db, p: Params<PlaceParams>) => {
  const by = { viewer: p('viewer'), organization: p('organization'), place: p('place') }
  return scoresIn(db, 'published', by).select(({ fn }) => [
    fn.countAll<number>().as('scores'),
    fn.sum<number | null>('scores.likes').as('likes'),
    fn.sum<number | null>('scores.plays').as('plays'),
  ])
})

/** How many scores of a user everybody may see, and how often those were liked and played. */
export async function countPublished(
  queries: Queries,
  user: string,
): Promise<{ scores: number; likes: number; plays: number }> {
  const [row] = await published(queries, { ...listViewer(undefined), place: user })
  return { scores: row?.scores ?? 0, likes: row?.likes ?? 0, plays: row?.plays ?? 0 }
}
