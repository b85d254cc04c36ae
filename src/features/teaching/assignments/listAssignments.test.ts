import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import { composeClassAssignments } from './compose.ts'
import { listAssignmentsOf } from './store.ts'

describeEachDatabase('listAssignments', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  async function freshClass() {
    const { tess, sam, sol } = people
    schoolClass = await newClass(app, people.id, { teachers: [tess], students: [sam, sol] })
  }
  const listed = async (name: 'tess' | 'sam' | 'sol' | 'ada') =>
    (await people[name].get(`/classes/${schoolClass.id}/assignments`)).body.map(
      ({ title }: { title: string }) => title,
    )

  it('lists the newest first', async () => {
    await freshClass()
    for (const title of ['A', 'B', 'C']) await newAssignment(people.tess, schoolClass, { title })
    expect(await listed('sam')).toEqual(['C', 'B', 'A'])
  })

  it('lists only published and assigned assignments for students', async () => {
    await freshClass()
    await newAssignment(people.tess, schoolClass, { title: 'Draft', state: 'draft' })
    const scheduledDate = new Date(clock.now() + minute).toISOString()
    await newAssignment(people.tess, schoolClass, { title: 'Ahead', scheduledDate })
    await newAssignment(people.tess, schoolClass, { title: 'Due draft', state: 'draft', scheduledDate })
    await newAssignment(people.tess, schoolClass, { title: 'For Sol', assignedStudents: [people.sol.id] })
    await newAssignment(people.tess, schoolClass, { title: 'For all' })
    const all = ['For all', 'For Sol', 'Due draft', 'Ahead', 'Draft']
    expect(await listed('tess')).toEqual(all)
    expect(await listed('ada')).toEqual(all)
    expect(await listed('sam')).toEqual(['For all'])
    expect(await listed('sol')).toEqual(['For all', 'For Sol'])
    clock.forward(minute)
    await app.jobsDone()
    expect(await listed('sam')).toEqual(['For all', 'Due draft', 'Ahead'])
  })

  it('returns 404 to students while the class is inactive', async () => {
    await freshClass()
    await newAssignment(people.tess, schoolClass, { title: 'A' })
    await setClassState(app, schoolClass, 'inactive')
    expect((await people.sam.get(`/classes/${schoolClass.id}/assignments`)).status).toBe(404)
    expect(await listed('tess')).toEqual(['A'])
  })

  it('needs a constant number of queries', async () => {
    await freshClass()
    await newAssignment(people.tess, schoolClass, { attachments: [{ url: 'https://example.com' }] })
    const relation = { role: 'teacher', isAdministrator: false } as const
    async function count() {
      const row = await findClass(app.ctx.db.read, { id: schoolClass.id, viewer: people.tess.id })
      const assignments = await listAssignmentsOf(app.ctx.db.read, {
        class: schoolClass.id,
        viewer: people.tess.id,
      })
      const loaded = assignments.map((assignment) => ({ assignment, schoolClass: row as ClassRow, relation }))
      return queriesOf(app.ctx.db.read, (queries) =>
        composeClassAssignments(queries, people.tess.id, loaded, []),
      )
    }
    const one = await count()
    for (const title of ['A', 'B', 'C']) {
      await newAssignment(people.tess, schoolClass, { title, assignedStudents: [people.sam.id] })
    }
    expect(await count()).toBe(one)
  })
})
