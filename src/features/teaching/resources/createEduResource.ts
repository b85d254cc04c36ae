import { EduResource, EduResourceCreation } from '../../../contract/edu-resources.ts'
import { operation } from '../../../operation.ts'
import { changedText } from '../assignments/content.ts'
import { insertNewAssignment } from '../assignments/new-assignment.ts'
import { updateAssignmentRow } from '../assignments/store.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { checkTitle } from '../../library/scores/contents.ts'
import { composeResource } from './compose.ts'
import { newResource } from './new-resource.ts'
import { checkDepth, loadDestination } from './places.ts'
import { canSee, checkRole, loadResource } from './policy.ts'
import { insertResource } from './store.ts'

export const createEduResource = operation({
  id: 'createEduResource',
  tag: 'EduResources',
  summary: 'Create a folder or an assignment in a library',
  description:
    'Creates the resource in the caller’s own library, the library of the organization, or one of ' +
    'their folders. A new assignment has only a title and a type.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  body: EduResourceCreation,
  responses: { 200: EduResource },
  async handle({ ctx, actor, body }) {
    const { type, title, parent = 'root' } = body
    checkTitle(title)
    const member = checkStaff(actor)
    const [description, description_html] = changedText(
      [null, null],
      [body.sharingDescription, body.sharingDescriptionHtml],
      { imagesFrom: ctx.config.publicUrl },
    )
    const created = await ctx.transaction(async (tx) => {
      const { destination, above } = await loadDestination(tx, member, parent, 'parent')
      if (type === 'folder') checkDepth(above, 1, 'parent')
      const content = { type, title, description, description_html }
      if (type === 'folder') return insert(newResource(ctx, member.id, destination, content))
      const assignment = await insertNewAssignment(ctx, tx, { title, creator: member.id, class: null })
      const assignment_type = body.resource?.type ?? assignment.type
      await updateAssignmentRow(tx, { ...assignment, type: assignment_type })
      return insert(
        newResource(ctx, member.id, destination, {
          ...content,
          assignment_id: assignment.id,
          assignment_type,
        }),
      )

      async function insert(resource: ReturnType<typeof newResource>) {
        await insertResource(tx, resource)
        return loadResource(tx, actor, resource.id, canSee)
      }
    })
    return composeResource(ctx.db.read, created)
  },
})
