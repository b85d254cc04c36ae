import Type from 'typebox'
import { EduResource, EduResourceCopy } from '../../contract/edu-resources.ts'
import { operation } from '../../operation.ts'
import { composeResource } from './compose.ts'
import { copyInto } from './library-copies.ts'
import { checkDepth, foldersDeep, loadDestination } from './places.ts'
import { canSee, checkRole, loadResource, visibleInside } from './policy.ts'
import { listInside } from './store.ts'

export const copyEduResource = operation({
  id: 'copyEduResource',
  tag: 'EduResources',
  summary: 'Copy a resource',
  description:
    'Into your own library or that of your organization, or one of their folders: a folder with all that you see in it, an ' +
    'assignment with its scores, which you own from then on. An assignment whose scores you may not all read is not copied; of a ' +
    'folder such scores are left out. 200 resources and scores can be copied at once.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceCopy,
  responses: { 200: EduResource },
  async handle({ ctx, actor, params, body }) {
    const copy = await ctx.transaction(async (tx) => {
      const loaded = await loadResource(tx, actor, params.resource, canSee)
      const rows = visibleInside(loaded, await listInside(tx, loaded.resource.id))
      const { destination, above } = await loadDestination(tx, loaded.actor, body.destination, 'destination')
      checkDepth(above, foldersDeep(rows), 'destination')
      const id = await copyInto(ctx, tx, loaded.actor, rows, destination)
      return loadResource(tx, actor, id, canSee)
    })
    return composeResource(ctx.db.read, copy)
  },
})
