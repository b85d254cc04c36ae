import { SavedComments } from '../../../contract/saved-comments.ts'
import { operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { listSaved } from './store.ts'

export const listSavedComments = operation({
  id: 'listSavedComments',
  accepts: 'session',
  tag: 'Class',
  summary: 'List the saved comments of the user, newest first',
  checkRole: checkStaff,
  responses: { 200: SavedComments },
  async handle({ ctx, actor }) {
    return listSaved(ctx.db.read, actor.id)
  },
})
