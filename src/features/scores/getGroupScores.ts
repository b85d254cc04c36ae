import Type from 'typebox'
import { linkHeader, pageRequest, pagingQuery } from '../../contract/paging.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { fail } from '../../errors.ts'
import { Answer, operation } from '../../operation.ts'
import { loadGroupOfClass } from '../classes/class-groups.ts'
import { canFindScores } from '../groups/policy.ts'
import { composeScores } from './compose.ts'
import { listManyScores } from './lists.ts'

export const getGroupScores = operation({
  id: 'getGroupScores',
  tag: 'Group',
  summary: 'List the scores that are shared with a group',
  description:
    'For its members, the teachers of its class and administrators: those that the caller may see, the one that was ' +
    'changed last first, up to 1,000. Where there are more, the `Link` header leads on.',
  scopes: ['scores', 'scores.readonly'],
  params: Type.Object({ group: Type.String() }),
  query: Type.Object({
    parent: Type.Optional(Type.String({ description: 'The id of a score: only copies of it.' })),
    next: pagingQuery.next,
  }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  errors: [404],
  async handle({ ctx, actor, params, query, request }) {
    const { group } = await loadGroupOfClass(ctx.db.read, actor, params.group)
    if (!canFindScores(group, actor)) fail('GROUP_ACCESS_DENIED')
    const asked = { ...pageRequest({ next: query.next }, 'modificationDate'), parent: query.parent }
    const { rows, cursors } = await listManyScores(ctx.db.read, actor, { in: 'group', group: group.id }, asked)
    return new Answer(await composeScores(ctx, actor, rows, request.locale()), { cursors })
  },
})
