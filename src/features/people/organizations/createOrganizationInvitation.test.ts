import { day } from '../../../lib/durations.ts'
import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { saveInvitation } from './invitations.store.ts'

const path = '/organizations/invitations'

describeApp('createOrganizationInvitation', (app) => {
  let people: School
  /** The accountAdmin. */
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
  })

  it('expires after the days that the organization sets', async () => {
    const { id, ada: admin } = await makeSchool(app, '.days')
    await limit(app, id, { invitation_days: 3 })
    const { creationDate, expirationDate } = (await admin.post(path, {})).body
    expect(Date.parse(expirationDate) - Date.parse(creationDate)).toBe(3 * day)
  })

  it('creates a code and a link for teachers by default, for any number of uses', async () => {
    const { status, headers, body } = await people.ada.post(path, {})
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      creationDate: expect.any(String),
      organization: people.id,
      organizationRole: 'teacher',
      customCode: expect.stringMatching(/^[a-z2-9]{10}$/),
      invitedBy: people.ada.id,
      htmlUrl: `${app.url}/invitations/${body.customCode}`,
      allowMultipleUse: true,
      usedBy: [],
      expirationDate: new Date(Date.parse(body.creationDate) + 14 * day).toISOString(),
      uses: 0,
    })
    const other = (await people.ada.post(path, {})).body
    expect(other.customCode).not.toBe(body.customCode)
    expect(other.id).not.toBe(body.id)
  })

  it('does not change the role of a test student', async () => {
    const schoolClass = (await people.tess.post('/classes', { name: 'Tested' })).body.id
    const { id } = (await people.tess.post(`/classes/${schoolClass}/testStudent`)).body
    expect(
      (await people.ada.put(`/organizations/users/${id}`, { email: 'test@school.example' })).status,
    ).toBe(200)
    const reply = await people.ada.post(path, { email: 'test@school.example', organizationRole: 'admin' })
    expect([reply.status, reply.body.param]).toEqual([400, 'organizationRole'])
  })

  it('allows one use if it has an address', async () => {
    const { body } = await people.ada.post(path, { email: 'nora@example.com', organizationRole: 'admin' })
    expect(body).toMatchObject({
      email: 'nora@example.com',
      organizationRole: 'admin',
      allowMultipleUse: false,
      usedBy: [],
      customCode: expect.any(String),
    })
  })

  it('chooses another code if a code is taken', async () => {
    const codes = ['taken', 'taken', 'free']
    const invitation = {
      organization_id: people.id,
      role: 'teacher',
      email: null,
      email_key: null,
      invited_by: people.ada.id,
      allows_multiple_use: 1,
      used_at: null,
      created_at: 0,
      expires_at: 1,
      uses: 0,
    } as const
    const save = () =>
      app.ctx.transaction((tx) =>
        saveInvitation(tx, { ...invitation, id: app.ctx.newId() }, () => codes.shift() as string),
      )
    expect((await save()).code).toBe('taken')
    expect((await save()).code).toBe('free')
    const { length } = await app.ctx.db.read
      .selectFrom('invitations')
      .select('id')
      .where('code', '=', 'taken')
      .execute()
    expect(length).toBe(1)
  })

  it('is available to administrators, for roles up to their own', async () => {
    for (const person of [people.tess, people.sam, people.otto]) {
      const { status, body } = await person.post(path, {})
      expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
      // The role is checked before the body.
      expect((await person.post(path, { email: 1 })).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    }
    const tooHigh = await people.ada.post(path, { organizationRole: 'accountAdmin' })
    expect([tooHigh.status, tooHigh.body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    expect((await anna.post(path, { organizationRole: 'accountAdmin' })).status).toBe(200)
  })

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: '' }, 'email'],
    [{ email: `${'x'.repeat(250)}@example.com` }, 'email'],
    [{ organizationRole: 'user' }, 'organizationRole'],
  ])('refuses %o', async (body, param) => {
    expect(await people.ada.post(path, body)).toMatchObject({ status: 400, body: { param } })
  })

  it('changes the role of a user who is a member already, and returns the user’s id', async () => {
    const lena = await app.person('lena', { organization: people.id, email: 'Lena@example.com' })
    expect((await lena.post(path, {})).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    const { body } = await people.ada.post(path, { email: 'lena@EXAMPLE.com', organizationRole: 'admin' })
    expect(body).toEqual({
      organization: people.id,
      organizationRole: 'admin',
      customCode: null,
      email: 'lena@EXAMPLE.com',
      invitedBy: people.ada.id,
      allowMultipleUse: false,
      usedBy: [lena.id],
    })
    const { body: invitations } = await people.ada.get(path)
    expect(invitations.map(({ email }: { email?: string }) => email)).not.toContain('lena@EXAMPLE.com')
    // The change is effective immediately, although the role of the token was cached.
    expect((await lena.get(path)).status).toBe(200)
    await people.ada.post(path, { email: 'lena@example.com', organizationRole: 'admin' })
    expect(await auditOf(app, lena.id)).toEqual([
      {
        organization: people.id,
        actor: people.ada.id,
        action: 'user.role-changed',
        details: { from: 'user', to: 'admin' },
      },
    ])
  })

  it('does not change a member above the caller’s role, or the last account administrator', async () => {
    const [above, boss] = [
      await app.organization('Academy'),
      { email: 'boss@example.com', role: 'accountAdmin' as const },
    ]
    const berta = await app.person('berta', { organization: above, ...boss })
    const alma = await app.person('alma', { organization: above, role: 'admin' })
    const upwards = await alma.post(path, { email: boss.email })
    expect([upwards.status, upwards.body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    const last = await berta.post(path, { email: boss.email, organizationRole: 'admin' })
    expect([last.status, last.body.code]).toEqual([409, 'LAST_ADMINISTRATOR'])
    await app.person('bruno', { organization: above, role: 'accountAdmin' })
    expect((await berta.post(path, { email: boss.email, organizationRole: 'admin' })).status).toBe(200)
  })

  it('keeps the last administrator if there is no account administrator', async () => {
    const small = await app.organization('Small school')
    const alois = await app.person('alois', {
      organization: small,
      role: 'admin',
      email: 'alois@example.com',
    })
    const last = await alois.post(path, { email: 'alois@example.com' })
    expect([last.status, last.body.code]).toEqual([409, 'LAST_ADMINISTRATOR'])
    await app.person('agnes', { organization: small, role: 'accountAdmin' })
    expect((await alois.post(path, { email: 'alois@example.com' })).status).toBe(200)
  })

  it('invites the address of a user of another organization, and of a removed member', async () => {
    const email = 'shared@example.com'
    await app.person('olga', { email })
    await app.person('arno', { organization: await app.organization('Third school'), email })
    const removed = await app.person('gone', { organization: people.id, email })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', removed.id).execute(),
    )
    const { body } = await people.ada.post(path, { email })
    expect(body).toMatchObject({ email, usedBy: [], customCode: expect.any(String) })
  })

  it('refuses an address that several members share', async () => {
    const email = 'family@example.com'
    await app.person('mia', { organization: people.id, email })
    await app.person('max', { organization: people.id, email })
    expect(await people.ada.post(path, { email })).toMatchObject({ status: 400, body: { param: 'email' } })
  })

  it('is in the audit log, without the code and the address', async () => {
    const { id } = (await people.ada.post(path, { email: 'ned@example.com' })).body
    expect(await auditOf(app, id)).toEqual([
      {
        organization: people.id,
        actor: people.ada.id,
        action: 'invitation.created',
        details: { role: 'teacher' },
      },
    ])
  })
})
