import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { Answer, operation } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import { composeScores } from './compose.ts'
import { listScores } from './lists.ts'

/** What a list without pages may have. */
const everything = 1_000_000

export const getUserScores = operation({
  id: 'getUserScores',
  tag: 'User',
  summary: 'List the public scores of a user',
  description: 'All of them, or page by page with `paginate`.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ user: Type.String({ description: 'The id of the user, or `me`.' }) }),
  query: Type.Object({ paginate: Type.Optional(Type.Boolean({ default: false })), ...pagingQuery }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const user = await loadUser(ctx.db.read, actor, params.user)
    const asked = pageRequest(query, 'modificationDate')
    const { rows, cursors } = await listScores(
      ctx.db.read,
      actor,
      { in: 'published', owner: user.id },
      query.paginate ? asked : { ...asked, limit: everything, next: undefined, previous: undefined },
    )
    return new Answer(composeScores(ctx, actor, rows, request.locale()), { cursors })
  },
})
