import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup } from '../../../../test/support/classes.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { storeStudents } from '../../../../test/support/large-class.ts'
import { planOf, rowsRead } from '../../../../test/support/query-plans.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'
import { listEffectiveSubmissions } from './roster.store.ts'
import { listPackedSubmissions } from './packed-rows.store.ts'
import { findOwnSubmission, listSubmissions } from './store.ts'

describeEachDatabase('queries among many submissions', (databases) => {
  const app = useApp(databases)
  let assignment: string
  let student: string
  let schoolClass: string

  beforeAll(async () => {
    const { id, tess, sam, sol } = await makeSchool(app)
    const created = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const set = await newAssignment(tess, created, { submissionStudentsMode: 'group' })
    await newSubmission(sam, created, set)
    await newSubGroup(tess, created, 'Duo', sam, sol)
    await newSubmission(sol, created, set)
    const large = await newClass(app, id, { teachers: [tess] })
    await storeStudents(app, id, large, 2000, await newAssignment(tess, large))
    assignment = set.id
    student = sam.id
    schoolClass = created.id
  })

  /**
   * Expects a plan that reads at most so many rows. SQLite does not report row counts, so the plan must not
   * scan a table; PostgreSQL has no statistics of the tables in this test.
   */
  function expectToReadNoMore(plan: readonly string[], rows: number) {
    if (databases.dialect === 'postgres') expect(rowsRead(plan)).toBeLessThanOrEqual(rows)
    else
      expect(plan.filter((step) => /^SCAN (submissions|named|group_members|groups)\b/.test(step))).toEqual([])
  }

  it('read only the rows of one student or one assignment', async () => {
    const read = app.ctx.db.read
    const own = await planOf(read, (queries) => findOwnSubmission(queries, { assignment, student }))
    expectToReadNoMore(own, 30)
    const listed = await planOf(read, (queries) =>
      listSubmissions(
        queries,
        { class: schoolClass, assignments: [assignment] },
        { viewer: student, own: true },
      ),
    )
    expectToReadNoMore(listed, 30)
    expectToReadNoMore(await planOf(read, (queries) => listPackedSubmissions(queries, [assignment])), 30)
    for (const [by, of] of [
      ['assignment', assignment],
      ['class', schoolClass],
    ] as const) {
      expectToReadNoMore(
        await planOf(read, (queries) => listEffectiveSubmissions(queries, by, of, [student])),
        30,
      )
    }
  })
})
