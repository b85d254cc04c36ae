import { startedColumns } from '../../src/features/teaching/submissions/transitions.ts'
import { notStarted } from '../../src/features/teaching/submissions/lifecycle.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { TestApp } from './app.ts'
import type { TestClass } from './classes.ts'

/** Inserts many students into a class. With an assignment, each student also gets a submission. */
export async function storeStudents(
  { ctx }: TestApp,
  organization_id: string,
  schoolClass: TestClass,
  count: number,
  assignment?: { id: string },
): Promise<void> {
  const created_at = ctx.clock.now()
  const students = Array.from({ length: count }, (_, index) => {
    const username = `pupil${String(index).padStart(5, '0')}-${schoolClass.id.slice(-12)}`
    return {
      id: ctx.newId(),
      username,
      username_key: username,
      password_hash: '',
      password_origin: 'own',
      email: `${username}@example.com`,
      email_key: `${username}@example.com`,
      email_verified: 0,
      email_vouched: 1,
      firstname: `Pupil ${index}`,
      lastname: 'Large',
      organization_id,
      organization_role: 'user',
      locale: 'en',
      is_private: 0,
      created_at,
      name_key: sortKey(`Large Pupil ${index} ${username}`),
      search_key: username,
      last_activity_at: 0,
      is_test_student: 0,
      deletion_at: null,
      removed_by: null,
      external_id: null,
    } as const
  })
  for (let from = 0; from < count; from += 200) {
    const some = students.slice(from, from + 200)
    await ctx.transaction(async (tx) => {
      await tx.insertInto('users').values(some).execute()
      const members = some.map(({ id: user_id }) => ({
        group_id: schoolClass.studentsGroup,
        user_id,
        created_at,
        placement: 'roster' as const,
      }))
      await tx.insertInto('group_members').values(members).execute()
      if (!assignment) return
      const work = some.map(({ id: creator_id }) => ({
        id: ctx.newId(),
        assignment_id: assignment.id,
        class_id: schoolClass.id,
        creator_id,
        group_id: null,
        holder_id: creator_id,
        ...startedColumns({ ...notStarted, state: 'turnedIn', submitted_at: created_at, draft_grade: 1 }),
        rubric: null,
        exercises_ids: null,
        answers: null,
        playback: '[]',
        has_copies: 1 as const,
        last_event: 0,
        last_comment: 0,
        created_at,
      }))
      await tx.insertInto('submissions').values(work).execute()
    })
  }
}
