import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { Answer, operation } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import { composeScores } from './compose.ts'
import { listManyScores, listScores } from './lists.ts'

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
    const list = query.paginate ? listScores : listManyScores
    const { rows, cursors } = await list(ctx.db.read, actor, { in: 'published', user: user.id }, asked)
    return new Answer(await composeScores(ctx, actor, rows, request.locale()), { cursors })
  },
})
