import Type from 'typebox'
import { EduResource, EduResourceUpdate } from '../../../contract/edu-resources.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { operation } from '../../../operation.ts'
import { changedText } from '../assignments/content.ts'
import { updateAssignmentTitle } from '../assignments/store.ts'
import { checkTitle } from '../../library/scores/contents.ts'
import { composeResource } from './compose.ts'
import { canEdit, checkPrivacy, checkRole, loadResource } from './policy.ts'
import { gradeBits, subjectBits } from './sets.ts'
import { updateResource } from './store.ts'

export const updateEduResource = operation({
  id: 'updateEduResource',
  tag: 'EduResources',
  summary: 'Update a resource',
  description:
    'Changes the fields in the body. The title is also the title of the assignment. The `privacy` ' +
    'of a folder does not apply to its contents.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceUpdate,
  responses: { 200: EduResource },
  async handle({ ctx, actor, params, body }) {
    checkTitle(body.title)
    const updated = await ctx.transaction(async (tx) => {
      const loaded = await loadResource(tx, actor, params.resource, canEdit)
      const { resource } = loaded
      const { title = resource.title, privacy = resource.privacy } = body
      if (body.privacy) checkPrivacy(resource, body.privacy)
      const [description, description_html] = changedText(
        [resource.description, resource.description_html],
        [body.sharingDescription, body.sharingDescriptionHtml],
        { imagesFrom: ctx.config.publicUrl },
      )
      const now = ctx.clock.now()
      const change = {
        title,
        title_key: sortKey(title),
        description,
        description_html,
        privacy,
        subjects: body.subjects ? subjectBits(body.subjects) : resource.subjects,
        grades: body.grades ? gradeBits(body.grades) : resource.grades,
        updated_at: now,
      }
      await updateResource(tx, resource.id, change)
      if (resource.assignment_id) await updateAssignmentTitle(tx, resource.assignment_id, { title, now })
      return { ...loaded, resource: { ...resource, ...change } }
    })
    return composeResource(ctx.db.read, updated)
  },
})
