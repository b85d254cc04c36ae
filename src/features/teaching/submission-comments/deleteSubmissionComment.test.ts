import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import {
  newClass,
  setClassState,
  type TestClass,
  makeSchoolWithClass,
} from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('deleteSubmissionComment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  async function begin(in_: TestClass = schoolClass): Promise<string> {
    const assignment = await newAssignment(people.tess, in_)
    return `${submissionsOf(in_, assignment)}/${(await newSubmission(people.sam, in_, assignment)).id}/comments`
  }

  it('deletes the caller’s own comment, and any comment for teachers', async () => {
    const { tess, theo, sam } = people
    const at = await begin()
    for (const [author, by] of [
      [sam, sam],
      [tess, tess],
      [sam, theo],
      [tess, theo],
    ] as const) {
      const { body } = await author.post(at, { comment: 'A' })
      expect((await by.delete(`${at}/${body.id}`)).status).toBe(204)
      expect((await by.delete(`${at}/${body.id}`)).body.code).toBe('COMMENT_NOT_FOUND')
    }
    expect((await sam.get(at)).body).toEqual([])
    expect((await sam.get(at.replace('/comments', ''))).body.comments).toEqual({ total: 0, unread: 0 })
  })

  it('refuses a student who wants to delete a teacher’s comment', async () => {
    const { tess, sam, sol } = people
    const at = await begin()
    const { body } = await tess.post(at, { comment: 'A' })
    expect((await sam.delete(`${at}/${body.id}`)).body.code).toBe('COMMENT_ACCESS_DENIED')
    expect((await sol.delete(`${at}/${body.id}`)).body.code).toBe('SUBMISSION_NOT_FOUND')
  })

  it('does not mark read comments as unread', async () => {
    const { tess, sam } = people
    const at = await begin()
    const { body: first } = await tess.post(at, { comment: 'A' })
    await tess.post(at, { comment: 'B' })
    await sam.get(at)
    await tess.delete(`${at}/${first.id}`)
    await tess.post(at, { comment: 'C' })
    expect((await sam.get(at.replace('/comments', ''))).body.comments).toEqual({ total: 2, unread: 1 })
  })

  it('is refused in an archived class', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const at = await begin(other)
    const { body } = await sam.post(at, { comment: 'A' })
    await setClassState(app, other, 'archived')
    expect((await sam.delete(`${at}/${body.id}`)).body.code).toBe('CLASS_ARCHIVED')
  })
})
