import type { Person, TestApp } from './app.ts'
import { newAssignment } from './assignments.ts'
import { newClass, newSubGroup } from './classes.ts'
import type { School } from './school.ts'
import { newSubmission, submissionsOf } from './submissions.ts'

/** The expected export of an assignment for three students, in order. */
export interface ReviewedAssignment {
  /** The path of the submissions. */
  at: string
  columns: string[]
  rows: (string | number | Date | undefined)[][]
}

/**
 * Creates a class with Björk, who has a late grade and a comment, Sam, who has a draft grade, and Sol, who
 * has no submission.
 */
export async function makeReviewedAssignment(
  app: TestApp,
  { id, tess, sam, sol }: School,
): Promise<ReviewedAssignment> {
  const bjork: Person = await app.person(`bjork${app.ctx.newId().slice(-12)}`, {
    organization: id,
    firstname: '=1+1',
    lastname: 'Björk, "B."',
    email: `bjork${app.ctx.newId()}@example.com`,
  })
  const schoolClass = await newClass(app, id, { teachers: [tess], students: [sol, sam, bjork] })
  await newSubGroup(tess, schoolClass, '@Strings', bjork, sam)
  await newSubGroup(tess, schoolClass, 'Winds', bjork)
  const assignment = await newAssignment(tess, schoolClass, {
    title: 'Étude "1" / 2\r\nX-Evil: 1',
    maxPoints: 20,
    dueDate: '2020-01-01T00:00:00.000Z',
  })
  const at = submissionsOf(schoolClass, assignment)
  const late = await newSubmission(bjork, schoolClass, assignment, { submit: true })
  await bjork.post(`${at}/${late.id}/comments`, { comment: 'Done' })
  const returned = (await tess.put(`${at}/${late.id}`, { grade: 17.5, return: true })).body
  const submission = await newSubmission(sam, schoolClass, assignment)
  await tess.put(`${at}/${submission.id}`, { draftGrade: 3 })
  const email = (
    await app.ctx.db.read.selectFrom('users').where('id', '=', bjork.id).select('email').executeTakeFirst()
  )?.email
  const dates = [new Date(late.submissionDate), new Date(returned.returnDate)]
  const none = undefined
  return {
    at,
    columns: [
      'Last name',
      'First name',
      'Username',
      'Email',
      'Group',
      'State',
      'Late',
      'Submission date',
      'Return date',
      'Grade',
      'Draft grade',
      'Max points',
      'Comments',
    ],
    rows: [
      [
        'Björk, "B."',
        "'=1+1",
        bjork.username,
        email ?? '',
        "'@Strings, Winds",
        'returned',
        'yes',
        ...dates,
        17.5,
        none,
        20,
        1,
      ],
      [none, none, 'sam', none, "'@Strings", 'created', 'no', none, none, none, 3, 20, 0],
      [none, none, 'sol', none, none, none, none, none, none, none, none, 20, none],
    ],
  }
}
