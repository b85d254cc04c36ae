import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../../contract/paging.ts'
import { ScoreDetails } from '../../../contract/scores.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { isPrivateFor, loadUser } from '../../people/users/policy.ts'
import { composeScores } from './compose.ts'
import { listWholeScoreList, listScores } from './lists.store.ts'

export const getUserScores = operation({
  id: 'getUserScores',
  tag: 'User',
  summary: 'List the public scores of a user',
  description:
    'With `paginate`, returns one page. Without it, returns up to 1,000 scores and ignores `limit`. ' +
    'The `Link` header leads to the next page if there are more. For other users, the list of a private profile ' +
    'is empty.',
  scopes: ['scores', 'scores.readonly'],
  anonymous: true,
  params: Type.Object({ user: Type.String({ description: 'The id of the user, or `me`.' }) }),
  query: Type.Object({ paginate: Type.Optional(Type.Boolean({ default: false })), ...pagingQuery }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const user = await loadUser(ctx.db.read, actor, params.user)
    if (isPrivateFor(actor, user)) return new Answer([])
    const page = pageRequest(query, 'modificationDate')
    const list = query.paginate ? listScores : listWholeScoreList
    const { cursors, ...listed } = await list(ctx.db.read, actor, { in: 'published', user: user.id }, page)
    return new Answer(await composeScores(ctx, actor, listed, request.locale()), { cursors })
  },
})
