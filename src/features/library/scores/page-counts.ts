import type { Context } from '../../../context.ts'
import { checkPage } from '../../../engines/webmscore/pages.ts'
import { fail } from '../../../errors.ts'
import { day } from '../../../lib/durations.ts'
import { type TtlCache, ttlCache } from '../../../lib/ttl-cache.ts'
import type { RevisionRow } from './revisions.store.ts'

/** The numbers of pages that the engine has counted, by revision and selection of parts. They never change. */
export type PageCounts = TtlCache<number>

export const pageCounts = (): PageCounts => ttlCache({ groupOf: String, ttl: day, maxEntries: 10_000 })

/** Pages without a measure of their own, such as a title page. */
const extraPages = 50

/**
 * Refuses a page that does not exist without asking the engine, if the number of pages is known. If not, a score has at most a
 * page for each measure and a few more.
 * @throws INVALID_PARAMETER (`page`)
 */
export function checkPageExists(
  { pageCounts, clock }: Context,
  { measures }: RevisionRow,
  key: string,
  page: number,
): void {
  const pages = pageCounts.get(key, clock.now())
  if (pages !== undefined) checkPage(page, pages)
  if (measures !== null && page > measures + extraPages)
    fail('INVALID_PARAMETER', { param: 'page', message: `There is no page ${page}.` })
}
