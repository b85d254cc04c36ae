import type { ListSort } from '../../contract/paging.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries } from '../../db/database.ts'
import { forEachVariant, type KeysetParams, type KeysetVariant, keyset } from '../../db/keyset.ts'
import { type PageRequest, pageOf, pageStart } from '../../lib/keyset.ts'
import type { PageCursors } from '../../operation.ts'
import { type CollectionRow, selectCollections } from './store.ts'

const columns = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const

const ofUser = forEachVariant((variant: KeysetVariant & { sort: ListSort }) =>
  compiled((db, p: Params<KeysetParams & { user: string }>) => {
    const { where, orderBy, limit } = keyset(variant, `collections.${columns[variant.sort]}`, 'collections.id', {
      key: p('key'),
      id: p('id'),
    })
    return selectCollections(db).where('collections.user_id', '=', p('user')).where(where).orderBy(orderBy).limit(limit)
  }),
)

/** A page of the collections that a user has, the virtual ones left out. */
export async function listCollectionsOf(
  queries: Queries,
  user: string,
  request: PageRequest & { sort: ListSort },
): Promise<{ rows: CollectionRow[]; cursors: PageCursors; isFirst: boolean }> {
  const { sort, direction } = request
  const start = pageStart(request, sort === 'title' ? 'string' : 'number')
  const { position, key, id, limit } = start
  const rows = await ofUser({ sort, direction, position, limit })(queries, { key, id, user })
  const page = pageOf(request, start, rows, (row) => row[columns[sort]])
  // A page behind another may have become empty since, and then names none before it either.
  return { ...page, isFirst: position !== 'next' && page.cursors.previous === undefined }
}
