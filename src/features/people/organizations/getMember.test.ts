import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { withSecondFactor } from '../../../../test/support/second-factors.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { countedBytes } from '../../../../test/support/stored-bytes.ts'

describeApp('getMember', (app) => {
  it('returns how a member signs in, the classes, the storage, and what the caller may change', async () => {
    const { id: organization, ada: admin, tess: teacher } = await makeSchool(app)
    const student = await app.person('lia', { organization, firstname: 'Lia', email: 'lia@example.com' })
    const { id: classId } = await newClass(app, organization, { teachers: [teacher], students: [student] })
    await student.post('/scores', emptyPiano())
    await withSecondFactor(app, student)
    const members = internalClient(await signedIn(app, admin))
    const before = app.ctx.clock.now()
    expect((await members.get(`/members/${student.id}`)).body).toEqual({
      id: student.id,
      username: 'lia',
      name: 'Lia',
      email: 'lia@example.com',
      role: 'user',
      isTestStudent: false,
      createdAt: expect.any(String),
      lastSignInAt: null,
      hasPassword: true,
      hasSecondFactor: true,
      storage: { used: await countedBytes(app, student), allowed: expect.any(Number) },
      classes: [{ id: classId, name: 'Class', role: 'student', placedBy: 'administrator' }],
      minPasswordLength: 8,
      // The server of this test sends no mails.
      can: { manage: true, setPassword: true, sendPasswordReset: false, createSignInLink: true },
    })
    await signedIn(app, teacher)
    const { lastSignInAt, classes, can } = (await members.get(`/members/${teacher.id}`)).body
    expect(Date.parse(lastSignInAt)).toBeGreaterThanOrEqual(before)
    expect(classes).toEqual([{ id: classId, name: 'Class', role: 'teacher', placedBy: 'administrator' }])
    expect(can.createSignInLink).toBe(true)
  })

  it('permits less for the own account, for higher roles, and if a provider is required', async () => {
    const { id: organization, ada: admin, sam: student, abel: stranger } = await makeSchool(app, '2')
    const owner = await app.person('olga', { organization, role: 'accountAdmin' })
    const members = internalClient(await signedIn(app, admin))
    const permitted = async ({ id }: { id: string }) => {
      const { status, body } = await members.get(`/members/${id}`)
      return status === 200 ? Object.keys(body.can).filter((name) => body.can[name]) : body.code
    }
    expect(await permitted(admin)).toEqual(['manage'])
    expect(await permitted(owner)).toEqual([])
    expect(await permitted(stranger)).toBe('USER_NOT_FOUND')
    await limit(app, organization, { requires_provider: 1 })
    expect(await permitted(student)).toEqual(['manage', 'createSignInLink'])
  })
})
