import type { ListSort } from '../../contract/paging.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import type { Actor, PageCursors } from '../../operation.ts'
import { listViewer } from '../scores/policy.ts'
import { type ListViewer, sharedWith } from '../scores/store.ts'
import { type CollectionRow, selectCollections } from './store.ts'

const columns = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const

/** Which collections a list shows: the viewer's own and those shared with the viewer, or the viewer's own in the trash. */
export type CollectionPlace = 'user' | 'trash'

const listed = forEachVariant((variant: KeysetVariant & { sort: ListSort; in: CollectionPlace }) =>
  compiled((db, p: Params<KeysetParams & ListViewer>) => {
    const column = columns[variant.sort]
    const start = { key: p('key'), id: p('id') }
    const { where, orderBy, limit } = keyset(variant, `collections.${column}`, 'collections.id', start)
    // Of each source no more is read than fits on the page; only then are the rows looked up.
    const page = db
      .selectFrom('collections')
      .where(where)
      .select(['collections.id', `collections.${column}`])
      .orderBy(orderBy)
      .limit(limit)
    const own = page.where('collections.user_id', '=', p('viewer'))
    // A group may be given what one of its members owns.
    const shared = page
      .where('collections.user_id', '!=', p('viewer'))
      .where('collections.id', 'in', sharedWith({ viewer: p('viewer'), organization: p('organization') }))
      .where('collections.deletion_at', 'is', null)
    const either = db
      .selectFrom(own.where('collections.deletion_at', 'is', null).as('collections'))
      .select(['collections.id', `collections.${column}`])
      .unionAll(db.selectFrom(shared.as('collections')).select(['collections.id', `collections.${column}`]))
    const ids =
      variant.in === 'trash'
        ? own.where('collections.deletion_at', 'is not', null)
        : db.selectFrom(either.as('collections')).selectAll().orderBy(orderBy).limit(limit)
    return selectCollections(db, p('viewer')).innerJoin(ids.as('page'), 'page.id', 'collections.id').orderBy(orderBy)
  }),
)

/** A page of collections, in one query, the virtual ones left out. */
export async function listCollectionsOf(
  queries: Queries,
  viewer: Actor,
  place: CollectionPlace,
  request: PageRequest & { sort: ListSort },
): Promise<{ rows: CollectionRow[]; cursors: PageCursors; isFirst: boolean }> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const rows = await listed({ sort, direction, position, limit, in: place })(queries, {
    key,
    id,
    ...listViewer(viewer),
  })
  const page = pageOf(request, start, rows, (row) => row[columns[sort]])
  // A page behind another may have become empty since, and then names none before it either.
  return { ...page, isFirst: position !== 'next' && page.cursors.previous === undefined }
}
