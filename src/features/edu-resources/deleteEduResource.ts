import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { canEdit, checkOwnInside, checkRole, loadResource } from './policy.ts'
import { deleteResources, listInside } from './store.ts'

export const deleteEduResource = operation({
  id: 'deleteEduResource',
  tag: 'EduResources',
  summary: 'Delete a resource',
  description:
    'With a folder all that lies in it, for good. Where others have put something there, only an administrator can. The ' +
    'scores stay with their owners, and so does what was copied.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { resource, actor: member } = await loadResource(tx, actor, params.resource, canEdit)
      const rows = await listInside(tx, resource.id)
      checkOwnInside(member, rows)
      await deleteResources(tx, rows)
    })
  },
})
