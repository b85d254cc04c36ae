import Type from 'typebox'
import { ClassAssignment, ClassAssignmentUpdate } from '../../../contract/assignments.ts'
import { operation } from '../../../operation.ts'
import { changeAssignment } from './changes.ts'
import { plain } from '../../../lib/cached-json.ts'
import { composeSubmissionsTo } from '../submissions/compose.ts'
import { composeClassAssignment } from './compose.ts'
import { loadManagedAssignment } from './policy.ts'

export const updateClassAssignment = operation({
  id: 'updateClassAssignment',
  tag: 'Class',
  summary: 'Update an assignment',
  description:
    'Available to the teachers of the class. Changes the fields in the body. `attachments` replaces ' +
    'the present list. An active assignment cannot become a draft again, and a published assignment ' +
    'cannot be postponed. Submissions stay unchanged.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  body: ClassAssignmentUpdate,
  responses: { 200: ClassAssignment },
  async handle({ ctx, actor, params, body }) {
    const changed = await ctx.transaction(async (tx) => {
      const { assignment, schoolClass } = await loadManagedAssignment(ctx, tx, actor, params)
      await changeAssignment(ctx, tx, actor, schoolClass, assignment, body)
      return loadManagedAssignment(ctx, tx, actor, params)
    })
    const { assignment, relation } = changed
    const submissions = await composeSubmissionsTo(ctx, ctx.db.read, actor.id, relation, [assignment])
    return composeClassAssignment(ctx.db.read, actor.id, changed, submissions.map(plain))
  },
})
