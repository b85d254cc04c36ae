import Type from 'typebox'
import { EduResource } from '../../../contract/edu-resources.ts'
import { operation } from '../../../operation.ts'
import { composeResource } from './compose.ts'
import { canSee, checkRole, loadResource } from './policy.ts'

export const getEduResource = operation({
  id: 'getEduResource',
  tag: 'EduResources',
  summary: 'Get a resource',
  description: 'Returns a folder, or an assignment with everything that a copy of it would contain.',
  scopes: ['edu.resources', 'edu.resources.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  responses: { 200: EduResource },
  async handle({ ctx, actor, params }) {
    return composeResource(ctx.db.read, await loadResource(ctx.db.read, actor, params.resource, canSee))
  },
})
