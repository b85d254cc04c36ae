import Type from 'typebox'
import { Assignment, AssignmentUpdate } from '../../../contract/assignments.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { operation } from '../../../operation.ts'
import { attachmentsOf, saveAttachments } from '../assignments/attachments.ts'
import { changedContent } from '../assignments/content.ts'
import { listAttachments } from '../assignments/attachments.store.ts'
import { updateAssignmentRow } from '../assignments/store.ts'
import { checkTitle } from '../../library/scores/contents.ts'
import { composeResourceAssignment } from './compose.ts'
import { canEdit, checkRole, loadAssignmentResource } from './policy.ts'
import { updateResource } from './store.ts'

export const updateEduResourceAssignment = operation({
  id: 'updateEduResourceAssignment',
  tag: 'EduResources',
  summary: 'Update the assignment of a resource',
  description:
    'Changes the fields in the body. `attachments` replaces the present list. Every user who can ' +
    'see the resource can read the attached scores, while the user who attached them can read them.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: AssignmentUpdate,
  responses: { 200: Assignment },
  async handle({ ctx, actor, params, body }) {
    checkTitle(body.title)
    const updated = await ctx.transaction(async (tx) => {
      const loaded = await loadAssignmentResource(tx, actor, params.resource, canEdit)
      const { resource, assignment } = loaded
      const known = body.attachments
        ? ((await listAttachments(tx, [assignment.id])).get(assignment.id) ?? [])
        : []
      const attachments = body.attachments && (await attachmentsOf(tx, actor, body.attachments, known))
      const content = changedContent(assignment, body, ctx.config.publicUrl)
      const now = ctx.clock.now()
      await updateAssignmentRow(tx, { ...assignment, ...content, modified_at: now })
      if (attachments) await saveAttachments(ctx, tx, actor, assignment.id, attachments)
      const { title, type: assignment_type } = content
      const change = { title, title_key: sortKey(title), assignment_type, updated_at: now }
      await updateResource(tx, resource.id, change)
      return { ...loaded, resource: { ...resource, ...change } }
    })
    return composeResourceAssignment(ctx.db.read, updated)
  },
})
