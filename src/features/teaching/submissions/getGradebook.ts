import Type from 'typebox'
import { linkHeader, pagingQuery } from '../../../contract/paging.ts'
import { Gradebook } from '../../../contract/submissions.ts'
import { Answer } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { listGradebookAssignments } from '../assignments/store.ts'
import { listAssignees } from '../assignments/assignees.store.ts'
import { listExcused } from '../assignments/excuses.store.ts'
import { loadClass } from '../classes/policy.ts'
import { presentGradebook } from './gradebook.ts'
import { canTeach } from './policy.ts'
import { listStudents, listEffectiveSubmissions } from './roster.store.ts'

export const getGradebook = operation({
  id: 'getGradebook',
  tag: 'Class',
  summary: 'Get the gradebook of a class',
  description:
    'For teachers. Returns the students of the class by name, one page at a time, with the state of ' +
    'each student in each assignment.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: Type.Object({ class: Type.String() }),
  query: Type.Object({ limit: pagingQuery.limit, next: pagingQuery.next, previous: pagingQuery.previous }),
  responses: { 200: { body: Gradebook, headers: linkHeader } },
  async handle({ ctx, actor, params, query }) {
    const { schoolClass } = await loadClass(ctx.db.read, actor, params.class, canTeach)
    const { limit = 25, next, previous } = query
    const [page, assignments] = await Promise.all([
      listStudents(ctx.db.read, schoolClass.students_group_id, { limit, next, previous }),
      listGradebookAssignments(ctx.db.read, schoolClass.id),
    ])
    const selected = assignments
      .filter(({ assignee_mode }) => assignee_mode === 'selected')
      .map(({ id }) => id)
    const students = page.rows.map(({ id }) => id)
    const [assignees, excused, work] = await Promise.all([
      listAssignees(ctx.db.read, selected),
      listExcused(
        ctx.db.read,
        assignments.map(({ id }) => id),
      ),
      listEffectiveSubmissions(ctx.db.read, 'class', schoolClass.id, students),
    ])
    const gradebook = presentGradebook(page.rows, assignments, {
      assignees,
      excused,
      work,
      now: ctx.clock.now(),
    })
    return new Answer(gradebook, { cursors: page.cursors })
  },
})
