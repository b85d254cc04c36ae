import Type from 'typebox'
import { EduResource, EduResourceCopy } from '../../../contract/edu-resources.ts'
import { operation } from '../../../operation.ts'
import { composeResource } from './compose.ts'
import { copySubtree } from './library-copies.ts'
import { checkDepth, folderDepth, loadDestination } from './places.ts'
import { canSee, checkRole, loadResource, visibleSubtree } from './policy.ts'
import { listSubtree } from './store.ts'

export const copyEduResource = operation({
  id: 'copyEduResource',
  tag: 'EduResources',
  summary: 'Copy a resource',
  description:
    'Copies into the caller’s own library, the library of the organization, or one of their ' +
    'folders. A folder is copied with everything in it that the caller can see. An assignment is ' +
    'copied with its scores, and the caller owns the copies. An assignment is not copied if the ' +
    'caller cannot read all its scores. In a folder, scores that the caller cannot read are left ' +
    'out. One request can copy 200 resources and scores.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceCopy,
  responses: { 200: EduResource },
  async handle({ ctx, actor, params, body }) {
    const copy = await ctx.transaction(async (tx) => {
      const loaded = await loadResource(tx, actor, params.resource, canSee)
      const rows = visibleSubtree(loaded, await listSubtree(tx, loaded.resource.id))
      const { destination, above } = await loadDestination(tx, loaded.actor, body.destination, 'destination')
      checkDepth(above, folderDepth(rows), 'destination')
      const id = await copySubtree(ctx, tx, loaded.actor, rows, destination)
      return loadResource(tx, actor, id, canSee)
    })
    return composeResource(ctx.db.read, copy)
  },
})
