import Type from 'typebox'
import { ResourceCollaborator } from '../../../contract/sharing.ts'
import { operation } from '../../../operation.ts'
import { listGrants } from '../sharing/grants.store.ts'
import { presentCollaborators } from '../scores/present.ts'
import { canSee, loadCollection, resolveCollection, rightsOn } from './policy.ts'

export const listCollectionCollaborators = operation({
  id: 'listCollectionCollaborators',
  tag: 'Collection',
  summary: 'List the collaborators of a collection',
  description: 'Sorted by date, oldest first. The owner is not in the list.',
  scopes: ['collections', 'collections.readonly'],
  params: Type.Object({ collection: Type.String() }),
  responses: { 200: Type.Array(ResourceCollaborator) },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const id = await resolveCollection(ctx, actor, params.collection)
    const collection = await loadCollection(ctx.db.read, actor, id, canSee)
    const grants = (await listGrants(ctx.db.read, 'collection', [id])).get(id) ?? []
    return presentCollaborators(grants, rightsOn(collection, actor), actor, ctx.config.publicUrl)
  },
})
