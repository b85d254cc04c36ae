import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { composeClasses } from './compose.ts'
import { relationOf } from './policy.ts'
import { listClassesOf } from './store.ts'

describeApp('listClasses', (app) => {
  let people: School
  const classes: Record<string, TestClass> = {}

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, theo, sam, sol } = people
    classes.first = await newClass(app, id, { teachers: [tess], students: [sam] })
    classes.second = await newClass(app, id, { teachers: [tess, theo], students: [sam, sol] })
    classes.inactive = await newClass(app, id, { teachers: [tess], students: [sam], state: 'inactive' })
    classes.archived = await newClass(app, id, { teachers: [tess], students: [sam], state: 'archived' })
  })

  async function listed(person: Person, query = ''): Promise<(string | undefined)[]> {
    const { status, body } = await person.get(`/classes${query}`)
    expect(status).toBe(200)
    return body.map(({ id }: { id: string }) => Object.keys(classes).find((name) => classes[name]?.id === id))
  }

  it('lists the active classes of the caller, newest first', async () => {
    expect(await listed(people.tess)).toEqual(['second', 'first'])
    expect(await listed(people.theo, '?state=active')).toEqual(['second'])
    expect(await listed(people.sam)).toEqual(['second', 'first'])
    expect(await listed(people.sol)).toEqual(['second'])
  })

  it('lists the classes in the state of the query', async () => {
    expect(await listed(people.tess, '?state=inactive')).toEqual(['inactive'])
    expect(await listed(people.tess, '?state=archived')).toEqual(['archived'])
    expect(await listed(people.sam, '?state=archived')).toEqual(['archived'])
    expect((await people.tess.get('/classes?state=deleted')).body.param).toBe('state')
  })

  it('hides inactive classes from their students', async () => {
    expect(await listed(people.sam, '?state=inactive')).toEqual([])
  })

  it('lists only classes that the caller is a member of, even for administrators', async () => {
    for (const person of [people.tara, people.ada, people.abel]) expect(await listed(person)).toEqual([])
  })

  it('refuses individual accounts', async () => {
    const { status, body } = await people.otto.get('/classes')
    expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
  })

  it('counts the members without removed users, and shows the code only to teachers', async () => {
    const { id, tess, tara } = people
    const vic = await app.person('vic', { organization: id })
    classes.third = await newClass(app, id, { teachers: [tara, tess], students: [vic, people.sol] })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 0 }).where('id', '=', vic.id).execute(),
    )
    const [third] = (await tara.get('/classes')).body
    expect(third).toMatchObject({
      id: classes.third?.id,
      enrollmentCode: expect.any(String),
      teachersGroup: { id: classes.third?.teachersGroup, usersCount: 2 },
      studentsGroup: { id: classes.third?.studentsGroup, usersCount: 1 },
    })
    const ofSol = (await people.sol.get('/classes')).body
    expect(ofSol).toHaveLength(2)
    for (const schoolClass of ofSol) expect(schoolClass).not.toHaveProperty('enrollmentCode')
  })

  it('counts the assignments that the caller can see', async () => {
    const { tess, theo, sam, sol, id } = people
    const schoolClass = await newClass(app, id, { teachers: [theo], students: [sam, sol] })
    const group = await newSubGroup(theo, schoolClass, 'Violins', sol)
    for (const properties of [
      {},
      { state: 'draft' },
      { scheduledDate: '2999-01-01T00:00:00Z' },
      { scheduledDate: '2000-01-01T00:00:00Z' },
      { assignedStudents: [sam.id] },
      { classGroupIds: [group] },
      { assigneeMode: 'everyone', assignedStudents: [sam.id] },
    ]) {
      await newAssignment(theo, schoolClass, properties)
    }
    const archived = await newAssignment(theo, schoolClass)
    await theo.post(`/classes/${schoolClass.id}/assignments/${archived.id}/archive`)
    for (const [person, count] of [
      [theo, 8],
      [sam, 5],
      [sol, 5],
    ] as const) {
      const listed = (await person.get('/classes')).body.find(
        (one: { id: string }) => one.id === schoolClass.id,
      )
      expect([
        listed.assignmentsCount,
        (await person.get(`/classes/${schoolClass.id}/assignments`)).body.length,
      ]).toEqual([count, count])
    }
    expect((await tess.get('/classes')).body.map((one: { id: string }) => one.id)).not.toContain(
      schoolClass.id,
    )
  })

  it('needs as many queries for many classes as for one', async () => {
    const uma = await app.person('uma', { organization: people.id, role: 'teacher' })
    const member = {
      ...uma,
      organization: people.id,
      organizationRole: 'teacher',
      access: { isDelegated: false },
    } as never
    async function queriesNeeded(): Promise<number> {
      return queriesOf(app.ctx.db.read, async (queries) => {
        const classes = await listClassesOf(queries, uma.id, 'active')
        await composeClasses(
          app.ctx,
          queries,
          uma.id,
          classes.map((schoolClass) => ({ schoolClass, relation: relationOf(member, schoolClass) })),
        )
      })
    }
    await newClass(app, people.id, { teachers: [uma] })
    const ofOne = await queriesNeeded()
    for (let n = 0; n < 5; n++) await newClass(app, people.id, { teachers: [uma] })
    expect(await queriesNeeded()).toBe(ofOne)
  })
})
