import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { operations } from '../../../operations.ts'

/** Each hidden value is a unique word or number. No response to the student may contain one of them. */
describeApp('hides drafts and other students’ submissions from a student in every response', (app) => {
  let people: School
  let schoolClass: TestClass
  /** The values of path parameters for Sam's requests. */
  let ids: Record<string, string>
  const draft = 4.736281
  const canaries = {
    'the draft of a grade': `${draft}`,
    'the work of another student': 'canary-of-sol',
    'a comment on the work of another student': 'canary-in-comment',
    'the solution of an exercise': '937/811',
  }

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const assignment = await newAssignment(tess, schoolClass, {
      type: 'newScore',
      exercises: [{ id: 'one', type: 'rhythm', solution: [canaries['the solution of an exercise']] }],
    })
    const at = submissionsOf(schoolClass, assignment)
    const own = await newSubmission(sam, schoolClass, assignment, { submit: true })
    const url = `https://example.com/${canaries['the work of another student']}`
    const other = await newSubmission(sol, schoolClass, assignment, { attachments: [{ url }] })
    const comment = { comment: canaries['a comment on the work of another student'] }
    const { body: posted } = await tess.post(`${at}/${other.id}/comments`, comment)
    await tess.put(`${at}/${own.id}`, { draftGrade: draft })
    ids = {
      class: schoolClass.id,
      assignment: assignment.id,
      submission: own.id,
      comment: posted.id,
      score: own.attachments[0].score,
      user: sam.id,
      group: schoolClass.studentsGroup,
      otherSubmission: other.id,
    }
  })

  const bodies: Readonly<Record<string, object>> = {
    createSubmission: { submit: true },
    editSubmission: { grade: 1 },
    postSubmissionComment: { comment: 'A' },
    updateSubmissionComment: { comment: 'A' },
  }
  // Operations that are refused or do not change the data of the other cases.
  const reads = Object.values(operations).filter(
    ({ method, path, id }) => path.includes('{class}') && (method === 'GET' || id in bodies),
  )
  const more = Object.values(operations).filter(({ id }) =>
    ['getScoreSubmissions', 'getGroupScores'].includes(id),
  )

  describe.each(['submission', 'otherSubmission'])('with the id of the %s', (which) => {
    it.each([...reads, ...more].map(({ id, method, path }) => [id, method, path] as const))(
      '%s',
      async (id, method, path) => {
        const address = path.replace(
          /\{(\w+)\}/g,
          (_, name) => ids[name === 'submission' ? which : name] ?? 'me',
        )
        const body = method === 'GET' ? undefined : (bodies[id] ?? {})
        const text = Buffer.from((await people.sam.request(method, address, body)).bytes).toString()
        for (const canary of Object.values(canaries)) expect(text).not.toContain(canary)
      },
    )
  })

  it('and shows them to a teacher', async () => {
    const at = `/classes/${schoolClass.id}/assignments/${ids.assignment}`
    const pages = [at, `${at}/submissions`, `${at}/submissions/${ids.otherSubmission}/comments`]
    const texts = await Promise.all(
      pages.map(async (page) => JSON.stringify((await people.tess.get(page)).body)),
    )
    for (const canary of Object.values(canaries)) expect(texts.join()).toContain(canary)
  })
})
