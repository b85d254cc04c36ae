import Type from 'typebox'
import { ResourceCollaborator } from '../../../contract/sharing.ts'
import { operation } from '../../../operation.ts'
import { presentUser } from '../../people/users/present.ts'
import { loadCollaborator, namesUser } from './collaborators.ts'
import { canRead, loadScore } from './policy.ts'
import { presentCollaborator, presentOwner } from './present.ts'

export const getScoreCollaborator = operation({
  id: 'getScoreCollaborator',
  tag: 'Score',
  summary: 'Get a collaborator of a score',
  scopes: ['scores.readonly'],
  params: Type.Object({
    score: Type.String(),
    collaborator: Type.String({
      description: 'The id of the permission, of its user or of its group, or `me`.',
    }),
  }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 200: ResourceCollaborator },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, query }) {
    const { score, owner, rights } = await loadScore(
      ctx.db.read,
      actor,
      params.score,
      canRead,
      query.sharingKey,
    )
    const granted = { on: 'score', id: score.id } as const
    if (namesUser(params.collaborator, owner, actor)) {
      return presentOwner(
        { ...granted, created_at: score.created_at },
        presentUser(owner, ctx.config.publicUrl),
      )
    }
    const grant = await loadCollaborator(ctx.db.read, actor, granted, rights, params.collaborator)
    return presentCollaborator(grant, ctx.config.publicUrl)
  },
})
