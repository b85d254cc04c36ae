import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../app/client.ts'
import type { PageFile } from '../../../score/source.ts'

const ownKey = (score: string) => ['own-revision', score]
const pagesOf = (score: string) => ({ queryKey: ['scores', score, 'page'], type: 'active' }) as const

/** Reads the pages again after the reader has changed the credits, which the server saves in a new revision. */
export async function showOwnRevision(queries: QueryClient, score: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: pagesOf(score).queryKey })
  const [[, page] = []] = queries.getQueriesData<PageFile>(pagesOf(score))
  queries.setQueryData(ownKey(score), page?.revision)
}

/** Returns whether the newest revision has nothing new for the reader: only what the reader has changed on this page. */
export async function isOwnRevision(
  queries: QueryClient,
  score: string,
  sharingKey: string | undefined,
): Promise<boolean> {
  // The event of the revision can come before the page.
  await Promise.allSettled(
    queries
      .getQueryCache()
      .findAll(pagesOf(score))
      .map(({ promise }) => promise),
  )
  const query = sharingKey === undefined ? {} : { sharingKey }
  const { id } = await call('getScoreRevision', { params: { score, revision: 'last' }, query })
  return queries.getQueryData(ownKey(score)) === id
}
