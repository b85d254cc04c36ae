import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { withoutOwner } from '../../../../test/support/sharing.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('deleteGroup', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  it('revokes what was shared with the group, and leaves its members in the class', async () => {
    const { tess, sam } = people
    const group = await newSubGroup(tess, schoolClass, 'Violins', sam)
    const score = (await tess.post('/scores', { ...emptyPiano(), privacy: 'private' })).body.id
    await tess.post(`/scores/${score}/collaborators`, { group })
    expect((await sam.get(`/scores/${score}`)).status).toBe(200)

    expect((await tess.delete(`/groups/${group}`)).status).toBe(204)
    expect((await tess.delete(`/groups/${group}`)).body.code).toBe('GROUP_NOT_FOUND')
    expect((await sam.get(`/scores/${score}`)).status).toBe(404)
    expect(withoutOwner((await tess.get(`/scores/${score}/collaborators`)).body)).toEqual([])
    const counted = app.ctx.db.read.selectFrom('scores').where('id', '=', score).select('grants')
    expect(await counted.executeTakeFirst()).toEqual({ grants: 0 })
    expect((await tess.get(`/groups/${schoolClass.studentsGroup}`)).body.usersCount).toBe(2)
  })

  it('leaves the groups of assignments that were made from it, with their members and work', async () => {
    const { tess, sam, sol } = people
    const group = await newSubGroup(tess, schoolClass, 'Duo', sam, sol)
    const assignment = await newAssignment(tess, schoolClass, { submissionStudentsMode: 'group' })
    const { id, group: own } = await newSubmission(sam, schoolClass, assignment)
    expect((await tess.get(`/groups/${own}`)).body).toMatchObject({ parent: group, usersCount: 2 })
    expect((await tess.delete(`/groups/${group}`)).status).toBe(204)
    expect((await sol.get(submissionsOf(schoolClass, assignment))).body).toMatchObject([{ id, group: own }])
    const details = (await tess.get(`/groups/${own}`)).body
    expect(details).toMatchObject({ name: 'Duo', assignment: assignment.id, usersCount: 2 })
    expect(details).not.toHaveProperty('parent')
    await tess.delete(`/classes/${schoolClass.id}/assignments/${assignment.id}`)
    expect((await tess.get(`/groups/${own}`)).status).toBe(404)
  })

  it('assigns the assignments of the group to its members, and to no other user', async () => {
    const { tess, sam, sol } = people
    const group = await newSubGroup(tess, schoolClass, 'Altos', sam)
    const score = (await tess.post('/scores', emptyPiano())).body.id
    const assignment = await newAssignment(tess, schoolClass, {
      classGroupIds: [group],
      attachments: [{ score }],
    })
    const path = `/classes/${schoolClass.id}/assignments/${assignment.id}`
    await newSubmission(sam, schoolClass, assignment, { submit: true })
    expect((await tess.delete(`/groups/${group}`)).status).toBe(204)
    expect((await tess.get(path)).body).toMatchObject({
      assigneeMode: 'selected',
      assignedGroups: [],
      assignedStudents: [sam.id],
    })
    for (const [person, status] of [
      [sam, 200],
      [sol, 404],
    ] as const) {
      for (const address of [path, `/scores/${score}`])
        expect((await person.get(address)).status).toBe(status)
    }
    expect((await sam.get(path)).body.submissions).toMatchObject([{ state: 'turnedIn' }])
  })

  it('is available to those who manage the class', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Harps', people.sam)
    const remove = async (person: School['tess']) => (await person.delete(`/groups/${group}`)).body?.code
    expect(await remove(people.sam)).toBe('GROUP_ACCESS_DENIED')
    for (const person of [people.sol, people.tara, people.abel])
      expect(await remove(person)).toBe('GROUP_NOT_FOUND')
    expect((await people.ada.delete(`/groups/${group}`)).status).toBe(204)
  })

  it('refuses the automatic groups of a class, and groups of an archived class', async () => {
    for (const group of [schoolClass.teachersGroup, schoolClass.studentsGroup]) {
      expect((await people.ada.delete(`/groups/${group}`)).body.code).toBe('GROUP_READ_ONLY')
    }
    const old = await newClass(app, people.id, { teachers: [people.tess] })
    const group = await newSubGroup(people.tess, old, 'Choir')
    await setClassState(app, old, 'archived')
    expect((await people.tess.delete(`/groups/${group}`)).body.code).toBe('CLASS_ARCHIVED')
    expect((await people.tess.get(`/groups/${group}`)).status).toBe(200)
  })
})
