import Type from 'typebox'
import { linkHeader, pagingQuery } from '../../contract/paging.ts'
import { ScoreDetails } from '../../contract/scores.ts'
import { Answer, operation } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import { composeScores } from './compose.ts'
import { listLikes } from './lists.ts'

const { limit, next, previous } = pagingQuery

export const getUserLikes = operation({
  id: 'getUserLikes',
  tag: 'User',
  summary: 'List the scores that a user likes',
  description:
    'The newest like first; only those that the caller may see. To see others than public ones takes a scope for scores.',
  scopes: ['account.public_profile'],
  anonymous: true,
  params: Type.Object({ user: Type.String({ description: 'The id of the user, or `me`.' }) }),
  query: Type.Object({
    ids: Type.Optional(
      Type.Boolean({ description: 'For who only wants to know which: what else a score has is left out or empty.' }),
    ),
    limit,
    next,
    previous,
  }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const user = await loadUser(ctx.db.read, actor, params.user)
    // A token for profiles tells of scores what everybody may know.
    const viewer = actor?.token.scopes.has('scores') || actor?.token.scopes.has('scores.readonly') ? actor : undefined
    const { rows, cursors } = await listLikes(ctx.db.read, viewer, user.id, { ...query, limit: query.limit ?? 25 })
    const scores = await composeScores(ctx, viewer, rows, request.locale())
    return new Answer(query.ids ? scores.map(identifying) : scores, { cursors })
  },
})

/** A list of scores has no lesser members than these. */
function identifying({ id, title, privacy, user, htmlUrl, editHtmlUrl, creationDate }: ScoreDetails): ScoreDetails {
  const none = { collaborators: [], instruments: [], instrumentsNames: [], samples: [] }
  return { id, title, privacy, user, htmlUrl, editHtmlUrl, creationDate, ...none }
}
