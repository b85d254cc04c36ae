import type { SubmissionsTable } from '../../src/platform/db/school-tables.ts'
import { insertComment, nextNumber } from '../../src/features/teaching/submission-comments/store.ts'
import { startedColumns } from '../../src/features/teaching/submissions/transitions.ts'
import { notStarted } from '../../src/features/teaching/submissions/lifecycle.ts'
import { insertSubmission } from '../../src/features/teaching/submissions/store.ts'
import type { Person, TestApp } from './app.ts'
import { newAssignmentIn } from './assignments.ts'
import type { Reply } from './client.ts'

/** Returns the path of the submissions to an assignment. */
export const submissionsOf = (schoolClass: { id: string }, assignment: { id: string }): string =>
  `/classes/${schoolClass.id}/assignments/${assignment.id}/submissions`

/** Starts the submission of a student if it does not exist. Returns it as the server responds. */
export async function newSubmission(
  student: Person,
  schoolClass: { id: string },
  assignment: { id: string },
  body: object = {},
): Promise<Reply['body']> {
  const reply = await student.put(submissionsOf(schoolClass, assignment), body)
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Inserts a submission of a student to a new assignment into a class in any state. */
export async function storeSubmission(
  app: TestApp,
  classId: string,
  student: { id: string },
  overrides: Partial<SubmissionsTable> = {},
): Promise<{ assignment: string; submission: string }> {
  const { ctx } = app
  const assignment = await newAssignmentIn({ app }, classId)
  const submission = ctx.newId()
  await ctx.transaction((tx) =>
    insertSubmission(tx, {
      id: submission,
      assignment_id: assignment,
      class_id: classId,
      creator_id: student.id,
      group_id: null,
      holder_id: student.id,
      ...startedColumns({ ...notStarted, state: 'created' }),
      rubric: null,
      exercises_ids: null,
      answers: null,
      playback: '[]',
      has_copies: 1,
      last_event: 0,
      last_comment: 0,
      created_at: ctx.clock.now(),
      ...overrides,
    }),
  )
  return { assignment, submission }
}

/** Inserts a comment on a submission. Returns its id. */
export async function storeSubmissionComment(
  { ctx }: TestApp,
  submission: string,
  author: { id: string },
  comment = 'Good',
): Promise<string> {
  const id = ctx.newId()
  const created_at = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    const number = await nextNumber(tx, submission)
    await insertComment(tx, {
      id,
      submission_id: submission,
      number,
      user_id: author.id,
      comment,
      created_at,
      modified_at: null,
    })
  })
  return id
}
