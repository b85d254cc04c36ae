import Type from 'typebox'
import { AssignmentCopy, AssignmentCopyResponse } from '../../contract/assignments.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { composeAssignment } from './compose.ts'
import { fillDraft } from './copies.ts'
import { loadAssignment, loadDraft, loadManagedAssignment } from './policy.ts'
import { insertNewAssignment } from './new-assignment.ts'

export const copyAssignment = operation({
  id: 'copyAssignment',
  tag: 'Class',
  summary: 'Copy an assignment',
  description:
    'Into a class that you teach: as a new draft, or into the draft that `assignment` names, to become active at ' +
    '`scheduledDate` where one is given. A due date that has passed is not copied.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  body: AssignmentCopy,
  responses: { 200: AssignmentCopyResponse },
  async handle({ ctx, actor, params, body }) {
    const copy = await ctx.transaction(async (tx) => {
      const { assignment: source } = await loadAssignment(ctx, tx, actor, params, canManage)
      if ('libraryParent' in body) {
        const message = 'This server has no resource libraries.'
        fail('INVALID_PARAMETER', { param: 'libraryParent', message })
      }
      const { classroom, assignment: named, scheduledDate } = body
      const { klass } = await loadOpenClass(tx, actor, classroom, canManage, { param: 'classroom' })
      const about = { title: source.title, creator: actor.id, class: klass.id }
      const path = { class: klass.id, assignment: named ?? (await insertNewAssignment(ctx, tx, about)).id }
      const { assignment: draft } = await loadDraft(ctx, tx, actor, path, { param: 'assignment' })
      await fillDraft(ctx, tx, actor, { source, draft, klass, scheduledDate })
      return loadManagedAssignment(ctx, tx, actor, path)
    })
    return composeAssignment(ctx.db.read, copy)
  },
})
