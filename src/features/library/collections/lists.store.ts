import type { ListSort } from '../../../contract/paging.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../../platform/db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../../lib/keyset.ts'
import type { Actor } from '../../../actor.ts'
import type { PageCursors } from '../../../answer.ts'
import { listViewer } from '../scores/policy.ts'
import { sharedCollectionIds } from '../scores/collection-scores.store.ts'
import type { ListViewer } from '../scores/access.store.ts'
import { type CollectionRow, selectCollections } from './store.ts'

const columns = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const

/**
 * Which collections a list shows: `user` for the viewer's own collections and those shared with the viewer,
 * `trash` for the viewer's own collections in the trash.
 */
export type CollectionListKind = 'user' | 'trash'

const listed = forEachVariant((variant: KeysetVariant & { sort: ListSort; in: CollectionListKind }) =>
  compiled((db, p: Params<KeysetParams & ListViewer>) => {
    const column = columns[variant.sort]
    const start = { key: p('key'), id: p('id') }
    const { where, orderBy, limit } = keyset(variant, `collections.${column}`, 'collections.id', start)
    // Each source reads at most one page of ids. The full rows are joined only for the resulting page.
    const page = db
      .selectFrom('collections')
      .where(where)
      .select(['collections.id', `collections.${column}`])
      .orderBy(orderBy)
      .limit(limit)
    const own = page.where('collections.user_id', '=', p('viewer'))
    // Excludes the viewer's own collections, which can also be shared with a group of the viewer.
    const shared = page
      .where('collections.user_id', '!=', p('viewer'))
      .where(
        p.isIn(
          'collections.id',
          sharedCollectionIds({ viewer: p('viewer'), organization: p('organization') }, p),
        ),
      )
    const either = db
      .selectFrom(own.where('collections.deletion_at', 'is', null).as('collections'))
      .select(['collections.id', `collections.${column}`])
      .unionAll(db.selectFrom(shared.as('collections')).select(['collections.id', `collections.${column}`]))
    const ids =
      variant.in === 'trash'
        ? own.where('collections.deletion_at', 'is not', null)
        : db.selectFrom(either.as('collections')).selectAll().orderBy(orderBy).limit(limit)
    return selectCollections(db, p('viewer'))
      .innerJoin(ids.as('page'), 'page.id', 'collections.id')
      .orderBy(orderBy)
  }),
)

/** Lists a page of stored collections in one query. Virtual collections are not included. */
export async function listCollectionsOf(
  queries: Queries,
  viewer: Actor,
  kind: CollectionListKind,
  request: PageRequest & { sort: ListSort },
): Promise<{ rows: CollectionRow[]; cursors: PageCursors; isFirst: boolean }> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const rows = await listed({ sort, direction, position, limit, in: kind })(queries, {
    key,
    id,
    ...listViewer(viewer),
  })
  const page = pageOf(request, start, rows, (row) => row[columns[sort]])
  // A later page can be empty if its rows were deleted. It then has no `previous` cursor, but it is not the
  // first page.
  return { ...page, isFirst: position !== 'next' && page.cursors.previous === undefined }
}
