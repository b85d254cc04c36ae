import type { SubmissionsTable } from '../../src/db/school-tables.ts'
import { insertComment, nextNumber } from '../../src/features/submission-comments/store.ts'
import { stored } from '../../src/features/submissions/changes.ts'
import { noWork } from '../../src/features/submissions/lifecycle.ts'
import { insertSubmission } from '../../src/features/submissions/store.ts'
import type { Person, TestApp } from './app.ts'
import { newAssignmentIn } from './assignments.ts'
import type { Reply } from './client.ts'

/** Where the submissions to an assignment are. */
export const submissionsOf = (klass: { id: string }, assignment: { id: string }): string =>
  `/classes/${klass.id}/assignments/${assignment.id}/submissions`

/** The work of a student on an assignment, begun if it was not; as it is answered. */
export async function newSubmission(
  student: Person,
  klass: { id: string },
  assignment: { id: string },
  body: object = {},
): Promise<Reply['body']> {
  const reply = await student.put(submissionsOf(klass, assignment), body)
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

/** Puts the work of a student on a new assignment into a class, whatever state that is in. */
export async function storeSubmission(
  app: TestApp,
  classId: string,
  student: { id: string },
  about: Partial<SubmissionsTable> = {},
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
      ...stored({ ...noWork, state: 'created' }),
      rubric: null,
      exercises_ids: null,
      answers: null,
      playback: '[]',
      has_copies: 1,
      last_event: 0,
      last_comment: 0,
      created_at: ctx.clock.now(),
      ...about,
    }),
  )
  return { assignment, submission }
}

/** Puts a comment on a submission; its id. */
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
