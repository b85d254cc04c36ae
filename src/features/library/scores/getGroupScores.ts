import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../../contract/paging.ts'
import { ScoreDetails } from '../../../contract/scores.ts'
import { fail } from '../../../errors.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { loadGroupOfClass } from '../../teaching/classes/class-groups.ts'
import { canFindScores } from '../../people/groups/policy.ts'
import { composeScores } from './compose.ts'
import { listWholeScoreList } from './lists.store.ts'

export const getGroupScores = operation({
  id: 'getGroupScores',
  tag: 'Group',
  summary: 'List the scores that are shared with a group',
  description:
    'Available to members of the group, teachers of its class, and administrators. Lists the scores ' +
    'that the caller can see, most recently changed first, up to 1,000. The `Link` header leads to ' +
    'the next page if there are more.',
  scopes: ['scores', 'scores.readonly'],
  params: Type.Object({ group: Type.String() }),
  query: Type.Object({
    parent: Type.Optional(Type.String({ description: 'Lists only copies of this score.' })),
    next: pagingQuery.next,
  }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  errors: [404],
  async handle({ ctx, actor, params, query, request }) {
    const { group } = await loadGroupOfClass(ctx.db.read, actor, params.group)
    if (!canFindScores(group, actor)) fail('GROUP_ACCESS_DENIED')
    const page = { ...pageRequest({ next: query.next }, 'modificationDate'), parent: query.parent }
    const { cursors, ...listed } = await listWholeScoreList(
      ctx.db.read,
      actor,
      { in: 'group', group: group.id },
      page,
    )
    return new Answer(await composeScores(ctx, actor, listed, request.locale()), { cursors })
  },
})
