import { fail } from '../../errors.ts'

/**
 * Checks that a score has a page.
 * @param pages the number of its pages
 * @throws INVALID_PARAMETER (`page`)
 */
export function checkPage(page: number, pages: number): void {
  if (page >= 1 && page <= pages) return
  fail('INVALID_PARAMETER', {
    param: 'page',
    message: `The score has ${pages} ${pages === 1 ? 'page' : 'pages'}; there is no page ${page}.`,
  })
}
