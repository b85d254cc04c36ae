import Type from 'typebox'
import { AssignmentSubmission } from '../../../contract/submissions.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { loadClass } from '../classes/policy.ts'
import { listMembersAmong } from '../../people/groups/store.ts'
import { composeSubmissions } from './compose.ts'
import { canTeach } from './policy.ts'
import { listStudentSubmissions } from './store.ts'

export const listClassStudentSubmissions = operation({
  id: 'listClassStudentSubmissions',
  tag: 'Class',
  summary: 'List the submissions of a student of a class',
  description: 'For teachers. Includes the submissions of the groups that the student belongs to.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: Type.Object({ class: Type.String(), user: Type.String() }),
  responses: { 200: Type.Array(AssignmentSubmission) },
  async handle({ ctx, actor, params }) {
    const { schoolClass } = await loadClass(ctx.db.read, actor, params.class, canTeach)
    const student = params.user === 'me' ? actor.id : params.user
    const students = await listMembersAmong(ctx.db.read, schoolClass.students_group_id, [student])
    if (!students.has(student)) fail('USER_NOT_FOUND')
    const by = { class: schoolClass.id, student, viewer: actor.id }
    const submissions = await listStudentSubmissions(ctx.db.read, by)
    return composeSubmissions(ctx, ctx.db.read, { id: actor.id, teaches: () => true }, submissions)
  },
})
