import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { canEdit, checkOwnSubtree, checkRole, loadResource } from './policy.ts'
import { deleteResources, listSubtree } from './store.ts'

export const deleteEduResource = operation({
  id: 'deleteEduResource',
  tag: 'EduResources',
  summary: 'Delete a resource',
  description:
    'A folder is deleted with everything in it, permanently. If other users have added something to ' +
    'the folder, only an administrator can delete it. The scores stay with their owners, and copies ' +
    'stay unchanged.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { resource, actor: member } = await loadResource(tx, actor, params.resource, canEdit)
      const rows = await listSubtree(tx, resource.id)
      checkOwnSubtree(member, rows)
      await deleteResources(tx, rows)
    })
  },
})
