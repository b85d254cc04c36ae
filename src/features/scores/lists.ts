import type { ListSort } from '../../contract/paging.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import type { PageCursors, Viewer } from '../../operation.ts'
import { atOnce, collectionsOf, type ScoreRow, scoreColumns } from './store.ts'

/** Which scores a list shows. */
export type ScorePlace =
  | { in: 'collection'; collection: string }
  /** All of a user's own that are not in the trash, those in it, or those that everybody may see. */
  | { in: 'library' | 'trash' | 'published'; owner: string }

export type ScorePageRequest = PageRequest & { sort: ListSort }

const columns = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const

type Variant = KeysetVariant & { sort: ListSort }
type ListParams = KeysetParams & { viewer: string; place: string }

const inCollection = forEachVariant((variant: Variant) =>
  compiled((db, p: Params<ListParams>) => {
    const column = `collection_scores.${columns[variant.sort]}`
    const { where, orderBy, limit } = keyset(variant, column, 'collection_scores.score_id', {
      key: p('key'),
      id: p('id'),
    })
    return db
      .selectFrom('scores')
      .innerJoin('collection_scores', 'collection_scores.score_id', 'scores.id')
      .where('collection_scores.collection_id', '=', p('place'))
      .where('collection_scores.trashed', '=', 0)
      .where(where)
      .select(scoreColumns)
      .select((eb) => collectionsOf(eb, p('viewer')).as('collections'))
      .orderBy(orderBy)
      .limit(limit)
  }),
)

const ofOwner = forEachVariant((variant: Variant & { in: 'library' | 'trash' | 'published' }) =>
  compiled((db, p: Params<ListParams>) => {
    const { where, orderBy, limit } = keyset(variant, `scores.${columns[variant.sort]}`, 'scores.id', {
      key: p('key'),
      id: p('id'),
    })
    return db
      .selectFrom('scores')
      .where('scores.owner_id', '=', p('place'))
      .where('scores.trashed', '=', variant.in === 'trash' ? 1 : 0)
      .$if(variant.in === 'trash', (query) => query.where('scores.deletion_at', '!=', atOnce))
      .$if(variant.in === 'published', (query) => query.where('scores.privacy', '=', 'public'))
      .where(where)
      .select(scoreColumns)
      .select((eb) => collectionsOf(eb, p('viewer')).as('collections'))
      .orderBy(orderBy)
      .limit(limit)
  }),
)

/** A page of scores, in one query. */
export async function listScores(
  queries: Queries,
  viewer: Viewer,
  place: ScorePlace,
  request: ScorePageRequest,
): Promise<{ rows: ScoreRow[]; cursors: PageCursors }> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const variant = { sort, direction, position, limit }
  const params = { key, id, viewer: viewer?.id ?? '' }
  const rows =
    place.in === 'collection'
      ? await inCollection(variant)(queries, { ...params, place: place.collection })
      : await ofOwner({ ...variant, in: place.in })(queries, { ...params, place: place.owner })
  return pageOf(request, start, rows, (row) => row[columns[sort]])
}
