import Type from 'typebox'
import { ResourceCollaborator } from '../../../contract/sharing.ts'
import { operation } from '../../../operation.ts'
import { presentUser } from '../../people/users/present.ts'
import { listGrants } from '../sharing/grants.store.ts'
import { canRead, loadScore } from './policy.ts'
import { presentCollaborators } from './present.ts'

export const getScoreCollaborators = operation({
  id: 'getScoreCollaborators',
  tag: 'Score',
  summary: 'List the collaborators of a score',
  description:
    'The owner comes first, then the others in the order in which they were added. Only collaborators receive groups ' +
    'and invited e-mail addresses.',
  scopes: ['scores.readonly', 'scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: Type.Array(ResourceCollaborator) },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query }) {
    const loaded = await loadScore(ctx.db.read, actor, params.score, canRead, query.sharingKey)
    const { score, rights } = loaded
    const { publicUrl } = ctx.config
    const grants = (await listGrants(ctx.db.read, 'score', [score.id])).get(score.id) ?? []
    const owner = presentUser(loaded.owner, publicUrl)
    return presentCollaborators({ on: 'score', ...score }, owner, grants, rights, actor, publicUrl)
  },
})
