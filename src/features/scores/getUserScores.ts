import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { Answer, operation } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import { composeScores } from './compose.ts'
import { listScores, type ScorePageRequest } from './lists.ts'
import type { ScoreRow } from './store.ts'

/** The most scores in an answer that is not asked for page by page, and how many of them are read at a time. */
const mostAtOnce = 1000
const readAtOnce = 100

export const getUserScores = operation({
  id: 'getUserScores',
  tag: 'User',
  summary: 'List the public scores of a user',
  description:
    'Page by page with `paginate`; without it as many as there are, up to 1,000, whatever `limit` says. Where there are ' +
    'more, the `Link` header leads on.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ user: Type.String({ description: 'The id of the user, or `me`.' }) }),
  query: Type.Object({ paginate: Type.Optional(Type.Boolean({ default: false })), ...pagingQuery }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const user = await loadUser(ctx.db.read, actor, params.user)
    const asked = pageRequest(query, 'modificationDate')
    const list = (request: ScorePageRequest) =>
      listScores(ctx.db.read, actor, { in: 'published', owner: user.id }, request)
    const { rows, cursors } = await (query.paginate ? list(asked) : manyPages(list, asked))
    return new Answer(await composeScores(ctx, actor, rows, request.locale()), { cursors })
  },
})

/** Reads on, a page at a time, until the list or what one answer may have is at its end. */
async function manyPages(
  list: (request: ScorePageRequest) => ReturnType<typeof listScores>,
  asked: ScorePageRequest,
): ReturnType<typeof listScores> {
  const rows: ScoreRow[] = []
  let next = asked.next
  do {
    const page = await list({ ...asked, limit: readAtOnce, next, previous: undefined })
    rows.push(...page.rows)
    next = page.cursors.next
  } while (next && rows.length < mostAtOnce)
  return { rows, cursors: { next } }
}
