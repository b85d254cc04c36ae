import Type from 'typebox'
import { EduResource, EduResourceMove } from '../../contract/edu-resources.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { composeResource } from './compose.ts'
import { takeScoresAlong } from './library-copies.ts'
import { checkDepth, foldersDeep, loadDestination } from './places.ts'
import { canEdit, canSee, checkOwnInside, checkRole, loadResource } from './policy.ts'
import { listInside, updateLibrary, updatePlace } from './store.ts'

export const moveEduResource = operation({
  id: 'moveEduResource',
  tag: 'EduResources',
  summary: 'Move a resource',
  description:
    'Into a folder or library, with all that lies in it. What comes into the library of the organization is open to it; ' +
    'what comes into your own becomes private, and has copies of the scores that others have attached.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceMove,
  responses: { 200: EduResource },
  async handle({ ctx, actor, params, body }) {
    const moved = await ctx.transaction(async (tx) => {
      const { resource, actor: member } = await loadResource(tx, actor, params.resource, canEdit)
      const rows = await listInside(tx, resource.id)
      const { destination, above } = await loadDestination(tx, member, body.destination, 'destination')
      if (above.includes(resource.id)) fail('FOLDER_INTO_ITSELF', { param: 'destination' })
      checkDepth(above, foldersDeep(rows), 'destination')
      const isSameLibrary =
        destination.user_id === resource.user_id && destination.organization_id === resource.organization_id
      if (!isSameLibrary) {
        checkOwnInside(member, rows)
        const ids = rows.map(({ id }) => id)
        if (destination.user_id !== null) await takeScoresAlong(ctx, tx, actor, rows)
        await updateLibrary(tx, ids, destination)
      }
      await updatePlace(tx, resource.id, destination, ctx.clock.now())
      return loadResource(tx, actor, resource.id, canSee)
    })
    return composeResource(ctx.db.read, moved)
  },
})
