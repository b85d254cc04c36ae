import Type from 'typebox'
import { EduResource, EduResourceCopy } from '../../contract/edu-resources.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { composeResource } from './compose.ts'
import { copyInto } from './library-copies.ts'
import { canSee, checkDepth, checkRole, foldersDeep, loadDestination, loadResource, visibleInside } from './policy.ts'
import { listInside } from './store.ts'

/** So that a transaction does not take long. */
const mostCopied = 500

export const copyEduResource = operation({
  id: 'copyEduResource',
  tag: 'EduResources',
  summary: 'Copy a resource',
  description:
    'Into your own library or that of your organization, or one of their folders: a folder with all that you see in it, an ' +
    'assignment with its scores, which you own from then on.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceCopy,
  responses: { 200: EduResource },
  async handle({ ctx, actor, params, body }) {
    const copy = await ctx.transaction(async (tx) => {
      const loaded = await loadResource(tx, actor, params.resource, canSee)
      const rows = visibleInside(loaded, await listInside(tx, loaded.resource.id))
      if (rows.length > mostCopied) fail('TOO_MANY_RESOURCES')
      const { destination, above } = await loadDestination(tx, loaded.actor, body.destination, 'destination')
      checkDepth(above, foldersDeep(rows), 'destination')
      const id = await copyInto(ctx, tx, loaded.actor, rows, destination)
      return loadResource(tx, actor, id, canSee)
    })
    return composeResource(ctx.db.read, copy)
  },
})
