import Type from 'typebox'
import { EduResource, EduResourceMove } from '../../../contract/edu-resources.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { composeResource } from './compose.ts'
import { copyForeignScores } from './library-copies.ts'
import { checkDepth, folderDepth, loadDestination } from './places.ts'
import { canEdit, canSee, checkOwnSubtree, checkRole, loadResource } from './policy.ts'
import { listSubtree, updateLibrary, updateLocation } from './store.ts'

export const moveEduResource = operation({
  id: 'moveEduResource',
  tag: 'EduResources',
  summary: 'Move a resource',
  description:
    'Moves the resource with everything in it into a folder or library. A resource that is moved to ' +
    'the library of the organization becomes visible to the organization. A resource that is moved ' +
    'to the caller’s own library becomes private, and gets copies of the scores that other users ' +
    'attached.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceMove,
  responses: { 200: EduResource },
  async handle({ ctx, actor, params, body }) {
    const moved = await ctx.transaction(async (tx) => {
      const { resource, actor: member } = await loadResource(tx, actor, params.resource, canEdit)
      const rows = await listSubtree(tx, resource.id)
      const { destination, above } = await loadDestination(tx, member, body.destination, 'destination')
      if (above.includes(resource.id)) fail('FOLDER_INTO_ITSELF', { param: 'destination' })
      checkDepth(above, folderDepth(rows), 'destination')
      const isSameLibrary =
        destination.user_id === resource.user_id && destination.organization_id === resource.organization_id
      if (!isSameLibrary) {
        checkOwnSubtree(member, rows)
        const ids = rows.map(({ id }) => id)
        if (destination.user_id !== null) await copyForeignScores(ctx, tx, actor, rows)
        await updateLibrary(tx, ids, destination)
      }
      await updateLocation(tx, resource.id, destination, ctx.clock.now())
      return loadResource(tx, actor, resource.id, canSee)
    })
    return composeResource(ctx.db.read, moved)
  },
})
