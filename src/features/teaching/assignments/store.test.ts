import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { planOf, rowsRead } from '../../../../test/support/query-plans.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { insertNewAssignment } from './new-assignment.ts'
import { listAttachments } from './attachments.store.ts'
import { countAssignments, listAssignmentsOf, updateAssignmentRow } from './store.ts'

describeEachDatabase('queries among many assignments', (databases) => {
  const app = useApp(databases)
  let people: School
  let classes: string[]

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, sam, id } = people
    const created = Array.from({ length: 40 }, () => newClass(app, id, { teachers: [tess], students: [sam] }))
    classes = (await Promise.all(created)).map((schoolClass) => schoolClass.id)
    await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 4000; n++) {
        const properties = { title: 'A', creator: tess.id, class: classes[n % 40] ?? '' }
        const assignment = await insertNewAssignment(app.ctx, tx, properties)
        await updateAssignmentRow(tx, {
          ...assignment,
          state: 'active',
          published_at: 0,
          assignee_mode: 'selected',
        })
      }
    })
  })

  /**
   * Expects a plan that reads at most so many rows. SQLite does not report row counts, so the plan must not
   * scan a table; PostgreSQL has no statistics of the tables in this test.
   */
  function expectToReadNoMore(plan: readonly string[], rows: number) {
    if (databases.dialect === 'postgres') expect(rowsRead(plan)).toBeLessThanOrEqual(rows)
    else
      expect(
        plan.filter((step) => /^SCAN (assignments|assignment_\w+|named|group_members)\b/.test(step)),
      ).toEqual([])
  }

  it('count the assignments of some classes without reading others', async () => {
    const [managed, learned] = [classes.slice(0, 1), classes.slice(1, 2)]
    const plan = await planOf(app.ctx.db.read, (queries) =>
      countAssignments(queries, people.sam.id, { managed, learned }, app.ctx.clock.now()),
    )
    expectToReadNoMore(plan, 210)
  })

  it('list the assignments of one class without reading others', async () => {
    const by = { class: classes[0] ?? '', viewer: people.sam.id }
    expectToReadNoMore(await planOf(app.ctx.db.read, (queries) => listAssignmentsOf(queries, by)), 110)
    const [first] = await listAssignmentsOf(app.ctx.db.read, by)
    expectToReadNoMore(
      await planOf(app.ctx.db.read, (queries) => listAttachments(queries, [first?.id ?? ''])),
      10,
    )
  })
})
