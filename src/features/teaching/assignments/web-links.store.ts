import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'

/** Stores the facts about a URL. Existing facts stay. */
export const insertWebLink = insertion('web_links', { orIgnore: true })

export async function hasWebLink(queries: Queries, url: string): Promise<boolean> {
  const known = await queries.selectFrom('web_links').select('url').where('url', '=', url).executeTakeFirst()
  return known !== undefined
}

const linksAtOnce = 500

/**
 * Deletes facts that are older than `before` (milliseconds since 1970) and whose URL is not attached
 * anywhere. Returns whether there may be more.
 */
export async function deleteUnusedWebLinks(tx: Transaction, before: number): Promise<boolean> {
  const unused = await tx
    .selectFrom('web_links')
    .select('web_links.url')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('assignment_attachments').select('position').whereRef('url', '=', 'web_links.url')),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('submission_attachments').select('position').whereRef('url', '=', 'web_links.url')),
      ),
    )
    .limit(linksAtOnce)
    .execute()
  const urls = unused.map(({ url }) => url)
  if (urls.length > 0) await tx.deleteFrom('web_links').where('url', 'in', urls).execute()
  return urls.length === linksAtOnce
}
