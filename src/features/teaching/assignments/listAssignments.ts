import Type from 'typebox'
import { ClassAssignment } from '../../../contract/assignments.ts'
import { operation } from '../../../operation.ts'
import { canRead, loadClass } from '../classes/policy.ts'
import { plain } from '../../../lib/cached-json.ts'
import { composeSubmissionsTo } from '../submissions/compose.ts'
import { composeClassAssignments } from './compose.ts'
import { canSee } from './policy.ts'
import { listAssignmentsOf } from './store.ts'

export const listAssignments = operation({
  id: 'listAssignments',
  tag: 'Class',
  summary: 'List the assignments of a class',
  description:
    'Sorted by date, newest first. Teachers of the class and administrators see the assignments in ' +
    'every state. Students see the published assignments that are for them, without the fields for ' +
    'teachers.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: Type.Array(ClassAssignment) },
  async handle({ ctx, actor, params }) {
    const { schoolClass, relation } = await loadClass(ctx.db.read, actor, params.class, canRead)
    const rows = await listAssignmentsOf(ctx.db.read, { class: schoolClass.id, viewer: actor.id })
    const loaded = rows.map((assignment) => ({ assignment, schoolClass, relation }))
    const seen = loaded.filter((entry) => canSee(entry, ctx.clock.now()))
    const assignments = seen.map(({ assignment }) => assignment)
    const submissions = await composeSubmissionsTo(ctx, ctx.db.read, actor.id, relation, assignments)
    return composeClassAssignments(ctx.db.read, actor.id, seen, submissions.map(plain))
  },
})
