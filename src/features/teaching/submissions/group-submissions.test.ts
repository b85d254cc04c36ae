import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('a group submission', (app) => {
  let people: School
  let suri: Person
  let template: string

  beforeAll(async () => {
    people = await makeSchool(app)
    suri = await app.person('suri', { organization: people.id })
    template = (await people.tess.post('/scores', emptyPiano('Template'))).body.id
  })

  const inGroups = (properties: object = {}) => ({
    submissionStudentsMode: 'group',
    attachments: [{ score: template, sharingMode: 'copy' }],
    ...properties,
  })
  const student = () => app.person(`una${app.ctx.newId().slice(-20)}`, { organization: people.id })

  /** Creates a class with one group of Sam, Sol and Suri. */
  async function trio(): Promise<{ schoolClass: TestClass; group: string }> {
    const { id, tess, sam, sol } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol, suri] })
    return { schoolClass, group: await newSubGroup(tess, schoolClass, 'Trio', sam, sol, suri) }
  }

  /** Returns the access of a user to a score. */
  async function accessOf(person: Person, score: string): Promise<'nothing' | 'read' | 'write'> {
    const { status, body } = await person.get(`/scores/${score}`)
    return status !== 200 ? 'nothing' : body.rights.aclWrite ? 'write' : 'read'
  }

  describe('after the member who created it leaves the group', () => {
    /**
     * Creates a group of two with a submission that Una created, and removes Una from the group in the given
     * way.
     */
    async function leave(way: 'group' | 'role' | 'invitation' | 'organization') {
      const { tess, ada } = people
      const [una, ulla] = [await student(), await student()]
      const schoolClass = await newClass(app, people.id, { teachers: [tess], students: [una, ulla] })
      const group = await newSubGroup(tess, schoolClass, 'Duo', una, ulla)
      const assignment = await newAssignment(tess, schoolClass, inGroups())
      const { id, attachments } = await newSubmission(una, schoolClass, assignment)
      await una.post(`${submissionsOf(schoolClass, assignment)}/${id}/comments`, { comment: 'Ours' })
      const member = `/organizations/users/${una.id}`
      const email = `${una.username}@example.com`
      const leaveBy = {
        group: () => tess.delete(`/groups/${group}/users/${una.id}`),
        role: () => ada.put(member, { organizationRole: 'teacher' }),
        invitation: async () => {
          await ada.put(member, { email })
          return ada.post('/organizations/invitations', { email, organizationRole: 'teacher' })
        },
        organization: () => ada.delete(member),
      }
      expect([200, 204]).toContain((await leaveBy[way]()).status)
      return { schoolClass, group, assignment, una, ulla, id, copy: attachments[0].score as string }
    }

    it.each(['group', 'role', 'invitation', 'organization'] as const)(
      'stays with the other members (%s)',
      async (way) => {
        const { tess } = people
        const { schoolClass, assignment, ulla, id, copy } = await leave(way)
        expect([await accessOf(ulla, copy), await accessOf(tess, copy)]).toEqual(['write', 'read'])
        const url = 'https://example.com/'
        const submission = await newSubmission(ulla, schoolClass, assignment, {
          attachments: [{ url }],
          submit: true,
        })
        expect(submission).toMatchObject({
          id,
          creator: ulla.id,
          attachments: [{ score: copy, dedicated: true }, { url }],
        })
        expect([await accessOf(ulla, copy), await accessOf(tess, copy)]).toEqual(['write', 'read'])
        expect((await ulla.get(`/scores/${copy}`)).body.user.id).toBe(ulla.id)
      },
    )

    it('gives the former member a new submission and keeps the old comments', async () => {
      const { schoolClass, assignment, una, id, copy } = await leave('group')
      expect(await accessOf(una, copy)).toBe('nothing')
      expect((await una.get(submissionsOf(schoolClass, assignment))).body).toEqual([])
      const own = await newSubmission(una, schoolClass, assignment)
      expect(own.id).not.toBe(id)
      expect(own.attachments[0].score).not.toBe(copy)
      const comments = await people.tess.get(`${submissionsOf(schoolClass, assignment)}/${id}/comments`)
      expect(comments.body).toMatchObject([{ comment: 'Ours' }])
    })

    it('is shared again after the user is restored', async () => {
      const { una, ulla, copy } = await leave('organization')
      await app.ctx.transaction((tx) =>
        tx
          .updateTable('users')
          .set({ deletion_at: null, removed_by: null })
          .where('id', '=', una.id)
          .execute(),
      )
      const again = await app.withScopes(una, 'scores')
      expect([await accessOf(again, copy), await accessOf(ulla, copy)]).toEqual(['write', 'write'])
    })

    it('stays readable for the teachers when the group has no members left', async () => {
      const { schoolClass, group, assignment, ulla, copy, id } = await leave('group')
      await people.tess.delete(`/groups/${group}/users/${ulla.id}`)
      expect(await accessOf(people.tess, copy)).toBe('read')
      expect((await people.tess.get(`${submissionsOf(schoolClass, assignment)}/${id}`)).status).toBe(200)
    })
  })

  describe('access to a student’s own score', () => {
    it('is granted when its owner attaches it, and not when another member does', async () => {
      const { tess, sam, sol } = people
      const { schoolClass } = await trio()
      const assignment = await newAssignment(tess, schoolClass, { submissionStudentsMode: 'group' })
      const score = (await sol.post('/scores', emptyPiano('Of Sol'))).body.id
      await sol.post(`/scores/${score}/collaborators`, { user: sam.id })
      const attach = (by: Person, scores: string[]) =>
        newSubmission(by, schoolClass, assignment, { attachments: scores.map((one) => ({ score: one })) })
      const seen = async () => [
        await accessOf(sam, score),
        await accessOf(suri, score),
        await accessOf(tess, score),
      ]

      await attach(sam, [score])
      expect(await seen()).toEqual(['read', 'nothing', 'nothing'])
      // Clients send existing attachments back. This alone grants no access.
      await attach(sol, [score])
      expect(await seen()).toEqual(['read', 'nothing', 'nothing'])
      await attach(sol, [])
      await attach(sol, [score])
      expect(await seen()).toEqual(['read', 'read', 'read'])
      await attach(suri, [score])
      expect(await seen()).toEqual(['read', 'read', 'read'])
      await attach(suri, [])
      expect(await seen()).toEqual(['read', 'nothing', 'nothing'])
    })

    it('ends for the teachers when the owner leaves the class, and for the group when the owner leaves the group', async () => {
      const { tess } = people
      const [una, ulla] = [await student(), await student()]
      const schoolClass = await newClass(app, people.id, { teachers: [tess], students: [una, ulla] })
      const group = await newSubGroup(tess, schoolClass, 'Duo', una, ulla)
      const assignment = await newAssignment(tess, schoolClass, { submissionStudentsMode: 'group' })
      const score = (await una.post('/scores', emptyPiano('Of Una'))).body.id
      await newSubmission(una, schoolClass, assignment, { attachments: [{ score }], submit: true })
      expect([await accessOf(ulla, score), await accessOf(tess, score)]).toEqual(['read', 'read'])
      await tess.delete(`/groups/${group}/users/${una.id}`)
      expect([await accessOf(ulla, score), await accessOf(tess, score)]).toEqual(['nothing', 'read'])
      await tess.post(`/groups/${group}/users`, { user: una.id })
      await tess.delete(`/classes/${schoolClass.id}/users/${una.id}`)
      expect([await accessOf(ulla, score), await accessOf(tess, score)]).toEqual(['nothing', 'nothing'])
      expect((await newSubmission(ulla, schoolClass, assignment, { submit: true })).attachments).toEqual([])
    })
  })

  it('is individual if the assignment is assigned to a single student', async () => {
    const { tess, sam, sol } = people
    const { schoolClass, group } = await trio()
    const alone = await newAssignment(tess, schoolClass, inGroups({ assignedStudents: [sam.id] }))
    const work = await newSubmission(sam, schoolClass, alone)
    expect(work).not.toHaveProperty('group')
    const copy = work.attachments[0].score
    expect([await accessOf(sam, copy), await accessOf(sol, copy)]).toEqual(['write', 'nothing'])
    const named = await newAssignment(tess, schoolClass, inGroups({ classGroupIds: [group] }))
    for (const assignment of [named, await newAssignment(tess, schoolClass, inGroups())]) {
      const own = (await newSubmission(sam, schoolClass, assignment)).group
      expect((await tess.get(`/groups/${own}`)).body.parent).toBe(group)
    }
  })

  it.each(['assignments', 'class'])('is read-only while the %s is archived', async (archived) => {
    const { tess, sam, sol } = people
    const { schoolClass } = await trio()
    const assignment = await newAssignment(tess, schoolClass, inGroups())
    const copy = (await newSubmission(sam, schoolClass, assignment)).attachments[0].score
    const score = (await tess.post('/scores', emptyPiano('Shared'))).body.id
    const sharing = await newAssignment(tess, schoolClass, {
      type: 'sharedWriting',
      attachments: [{ score, sharingMode: 'write' }],
    })
    const paths = {
      assignments: [assignment, sharing].map(
        ({ id }) => `/classes/${schoolClass.id}/assignments/${id}/archive`,
      ),
      class: [`/classes/${schoolClass.id}/archive`],
    }[archived]
    const seen = async () => [
      await accessOf(sol, copy),
      await accessOf(sol, score),
      await accessOf(tess, copy),
    ]
    expect(await seen()).toEqual(['write', 'write', 'read'])
    for (const path of paths ?? []) expect((await tess.post(path)).status).toBe(200)
    expect(await seen()).toEqual(['read', 'read', 'read'])
    expect((await sol.put(`/scores/${score}`, { title: 'Mine' })).status).toBe(403)
    for (const path of paths ?? []) expect((await tess.delete(path)).status).toBe(200)
    expect(await seen()).toEqual(['write', 'write', 'read'])
  })
})
