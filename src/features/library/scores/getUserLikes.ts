import Type from 'typebox'
import { linkHeader, pagingQuery } from '../../../contract/paging.ts'
import { ScoreDetails } from '../../../contract/scores.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { isPrivateFor, loadUser } from '../../people/users/policy.ts'
import { plain } from '../../../lib/cached-json.ts'
import { composeScores } from './compose.ts'
import { listLikes } from './lists.store.ts'

const { limit, next, previous } = pagingQuery

export const getUserLikes = operation({
  id: 'getUserLikes',
  tag: 'User',
  summary: 'List the scores that a user likes',
  description:
    'Sorted by the date of the like, newest first. Lists only scores that the caller can see. ' +
    'Scores that are not public require a token with a scope for scores. For other users, the list of a private ' +
    'profile is empty.',
  scopes: ['account.public_profile'],
  anonymous: true,
  params: Type.Object({ user: Type.String({ description: 'The id of the user, or `me`.' }) }),
  query: Type.Object({
    ids: Type.Optional(
      Type.Boolean({
        description:
          'Returns only the fields that identify each score. All other fields are missing or empty.',
      }),
    ),
    limit,
    next,
    previous,
  }),
  responses: { 200: { body: Type.Array(ScoreDetails), headers: linkHeader } },
  async handle({ ctx, actor, params, query, request }) {
    const user = await loadUser(ctx.db.read, actor, params.user)
    if (isPrivateFor(actor, user)) return new Answer([])
    // A token without a scope for scores sees only public scores, like an anonymous caller.
    const viewer =
      actor?.access.scopes.has('scores') || actor?.access.scopes.has('scores.readonly') ? actor : undefined
    const { cursors, ...listed } = await listLikes(ctx.db.read, viewer, user.id, {
      ...query,
      limit: query.limit ?? 25,
    })
    const scores = await composeScores(ctx, viewer, listed, request.locale())
    return new Answer(query.ids ? scores.map(plain).map(requiredFieldsOf) : scores, { cursors })
  },
})

/** Reduces a score to the fields that the response schema requires. */
function requiredFieldsOf({
  id,
  title,
  privacy,
  user,
  htmlUrl,
  editHtmlUrl,
  creationDate,
}: ScoreDetails): ScoreDetails {
  const none = { collaborators: [], instruments: [], instrumentsNames: [], samples: [] }
  return { id, title, privacy, user, htmlUrl, editHtmlUrl, creationDate, ...none }
}
