import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'

interface WorkGroup {
  id: string
  parent?: string
  members: string[]
}

describeApp('the groups of group work', (app) => {
  let organization: string
  let teacher: Person
  let students: Person[]

  beforeAll(async () => {
    organization = await app.organization()
    teacher = await app.person('vera', { organization, role: 'teacher' })
    const names = ['pia', 'paul', 'pola', 'peer', 'puck', 'pepe', 'perl', 'pina', 'plum']
    students = await Promise.all(names.map((name) => app.person(name, { organization })))
  })

  const classOf = (...members: Person[]) =>
    newClass(app, organization, { teachers: [teacher], students: members })
  const pathOf = (schoolClass: TestClass, { id }: { id: string }) =>
    `/classes/${schoolClass.id}/assignments/${id}`
  const groupsOf = async (schoolClass: TestClass, assignment: { id: string }): Promise<WorkGroup[]> =>
    (await teacher.get(pathOf(schoolClass, assignment))).body.assignedGroups
  const sizes = (groups: readonly WorkGroup[]) => groups.map(({ members }) => members.length).sort()
  const inGroups = { submissionStudentsMode: 'group' }
  const [first, second, third, fourth] = [0, 1, 2, 3].map((index) => () => students[index] as Person) as [
    () => Person,
    () => Person,
    () => Person,
    () => Person,
  ]

  it.each([inGroups, { type: 'sharedWriting' }])(
    'are made from every group of the class if the assignment names none (%o)',
    async (properties) => {
      const schoolClass = await classOf(...students)
      const winds = await newSubGroup(teacher, schoolClass, 'Winds', first(), second())
      const brass = await newSubGroup(teacher, schoolClass, 'Brass', third())
      const assignment = await newAssignment(teacher, schoolClass, properties)
      expect((await teacher.get(pathOf(schoolClass, assignment))).body.submissionStudentsMode).toBe('group')
      const groups = await groupsOf(schoolClass, assignment)
      expect(groups).toMatchObject(
        [
          { name: 'Brass', parent: brass, members: [third().id] },
          { name: 'Winds', parent: winds, members: [first().id, second().id].sort() },
        ].map((group) => ({ ...group, members: expect.arrayContaining(group.members) })),
      )
      const list = await teacher.get(`/groups?type=assignmentStudentsSubGroup&assignment=${assignment.id}`)
      expect(list.body).toMatchObject([
        { type: 'assignmentStudentsSubGroup', assignment: assignment.id, parent: brass, readOnly: true },
        { type: 'assignmentStudentsSubGroup', assignment: assignment.id, parent: winds, usersCount: 2 },
      ])
      expect((await newSubmission(first(), schoolClass, assignment)).group).toBe(groups[1]?.id)
      expect(await newSubmission(fourth(), schoolClass, assignment)).not.toHaveProperty('group')
    },
  )

  it('are made at random in a class without groups, of at most four students or `groupSize`', async () => {
    const schoolClass = await classOf(...students)
    await teacher.post(`/classes/${schoolClass.id}/testStudent`)
    const byDefault = await groupsOf(schoolClass, await newAssignment(teacher, schoolClass, inGroups))
    expect(sizes(byDefault)).toEqual([3, 3, 3])
    expect(byDefault.flatMap(({ members }) => members).sort()).toEqual(students.map(({ id }) => id).sort())
    expect(byDefault[0]).not.toHaveProperty('parent')
    const pairs = await newAssignment(teacher, schoolClass, { ...inGroups, groupSize: 2 })
    expect(sizes(await groupsOf(schoolClass, pairs))).toEqual([1, 2, 2, 2, 2])
    const again = await teacher.put(pathOf(schoolClass, pairs), { title: 'Again', classGroupIds: null })
    expect(again.body.assignedGroups).toEqual(await groupsOf(schoolClass, pairs))
  })

  it('are made when the assignment becomes visible, and not before', async () => {
    const schoolClass = await classOf(first(), second())
    const winds = await newSubGroup(teacher, schoolClass, 'Winds', first())
    const draft = { ...inGroups, state: 'draft', classGroupIds: [winds] }
    const assignment = await newAssignment(teacher, schoolClass, draft)
    const { body: me } = await first().get('/me')
    expect(me.groups.filter((id: string) => [winds, schoolClass.studentsGroup].includes(id))).toHaveLength(2)
    expect(me.groups.at(-1)).toBe(winds)
    expect(await groupsOf(schoolClass, assignment)).toMatchObject([{ id: winds }])
    await teacher.put(pathOf(schoolClass, assignment), { state: 'active' })
    const [group] = await groupsOf(schoolClass, assignment)
    expect(group).toMatchObject({ parent: winds, members: [first().id] })
    expect((await first().get(pathOf(schoolClass, assignment))).body.assignedGroups).toEqual([group])
    expect((await second().get(pathOf(schoolClass, assignment))).status).toBe(404)
  })

  it('follow the members of the group of the class', async () => {
    const schoolClass = await classOf(first(), second(), third())
    const winds = await newSubGroup(teacher, schoolClass, 'Winds', first(), second())
    const assignment = await newAssignment(teacher, schoolClass, inGroups)
    const started = await newSubmission(first(), schoolClass, assignment)
    await teacher.post(`/groups/${winds}/users`, { user: third().id })
    await teacher.delete(`/groups/${winds}/users/${second().id}`)
    const [group] = await groupsOf(schoolClass, assignment)
    expect(group?.members.sort()).toEqual([first().id, third().id].sort())
    expect((await newSubmission(third(), schoolClass, assignment)).id).toBe(started.id)
    expect((await newSubmission(second(), schoolClass, assignment)).id).not.toBe(started.id)
  })

  it('do not assign group work to others when it becomes one for named students', async () => {
    const schoolClass = await classOf(...students)
    await newSubGroup(teacher, schoolClass, 'Winds', first(), second(), third())
    const assignment = await newAssignment(teacher, schoolClass, inGroups)
    const path = pathOf(schoolClass, assignment)
    const named = { assignedStudents: [first().id, second().id] }
    const { body } = await teacher.put(path, named)
    expect([body.assigneeMode, body.assignedStudents.sort()]).toEqual([
      'selected',
      named.assignedStudents.sort(),
    ])
    expect(sizes(body.assignedGroups)).toEqual([2])
    expect((await third().get(path)).status).toBe(404)
    const everyone = (await teacher.put(path, { assignedStudents: [] })).body
    expect(everyone.assigneeMode).toBe('everyone')
    expect(sizes(everyone.assignedGroups)).toEqual([3])
  })
})
