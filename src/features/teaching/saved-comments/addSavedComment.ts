import { maxSavedComments } from '../../../contract/saved-comment-limits.ts'
import { NewSavedComment, SavedComment } from '../../../contract/saved-comments.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { insertSaved, listSaved } from './store.ts'

export const addSavedComment = operation({
  id: 'addSavedComment',
  accepts: 'session',
  tag: 'Class',
  summary: 'Save a comment to write it again',
  description: 'A comment that is saved already is returned as it is.',
  checkRole: checkStaff,
  body: NewSavedComment,
  responses: { 200: SavedComment },
  async handle({ ctx, actor, body }) {
    const comment = body.comment.trim()
    if (comment === '') fail('INVALID_PARAMETER', { param: 'comment', message: '`comment` is empty.' })
    return ctx.transaction(async (tx) => {
      const saved = await listSaved(tx, actor.id)
      const same = saved.find((one) => one.comment === comment)
      if (same) return same
      if (saved.length >= maxSavedComments) fail('TOO_MANY_SAVED_COMMENTS')
      const added = { id: ctx.newId(), user_id: actor.id, comment, created_at: ctx.clock.now() }
      await insertSaved(tx, added)
      return added
    })
  },
})
