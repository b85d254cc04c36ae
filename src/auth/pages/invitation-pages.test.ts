import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { newAssignment } from '../../../test/support/assignments.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { newClass } from '../../../test/support/classes.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { limit } from '../../../test/support/organizations.ts'
import { emptyPiano } from '../../../test/support/scores.ts'
import { onTwoServers } from '../../../test/support/two-servers.ts'
import { requestWhileSessionEnds } from '../../../test/support/request-while-session-ends.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { day } from '../../lib/durations.ts'
import { countAttempt } from '../throttling/attempt-limits.store.ts'
import { updateUser } from '../../features/people/users/store.ts'
import { withoutOwner } from '../../../test/support/sharing.ts'

describeEachDatabase('the invitation page', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trustProxy: '127.0.0.1' }, { clock })
  let organization: string
  let ada: Person
  /** The account administrator. */
  let anna: Person
  let n = 0

  beforeAll(async () => {
    organization = await app.organization('Academy & Co')
    await limit(app, organization, { allows_sign_up_by_code: 1 })
    ada = await app.person('ada', { organization, role: 'admin' })
    anna = await app.person('anna', { organization, role: 'accountAdmin' })
  })

  const invite = async (body: object = {}, by = anna) => {
    const { body: invitation } = await by.post('/organizations/invitations', body)
    return {
      id: invitation.id as string,
      path: new URL(invitation.htmlUrl).pathname,
      code: invitation.customCode as string,
    }
  }
  const name = () => `person${++n}`
  const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers })
  const signUp = (path: string, username: string, more: Record<string, string> = {}) =>
    send(path, { username, password, ...more })
  const row = (username: string) =>
    app.ctx.db.read.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
  const usedBy = async (id: string) => {
    const { body } = await ada.get('/organizations/invitations?limit=1000')
    return body.find((one: { id: string }) => one.id === id).usedBy
  }
  /** Returns the pages that a signed-in user sees before and after the button. */
  async function join(person: Person, path: string) {
    const browser = await signedIn(app, person)
    const page = await browser.open(path)
    return { page, after: await browser.submit(page, path) }
  }

  it('expires after 14 days, even while it is open in a browser', async () => {
    const { id, path } = await invite()
    const uses = async () => {
      const { body } = await ada.get('/organizations/invitations?limit=1000')
      return body.find((one: { id: string }) => one.id === id).uses
    }
    clock.forward(14 * day - 1)
    expect((await signUp(path, name())).status).toBe(303)
    const person = await app.person(name())
    const browser = await signedIn(app, person)
    const page = await browser.open(path)
    clock.forward(1)
    expect((await browser.submit(page, path)).status).toBe(404)
    expect((await signUp(path, name())).status).toBe(404)
    expect((await browserAt(app.url).open(path)).status).toBe(404)
    expect((await person.get('/me')).body.organization).toBe(undefined)
    expect(await uses()).toBe(1)
  })

  describe('for a user without an account', () => {
    it('creates an account with the role by a form without scripts, and signs in', async () => {
      const { id, path } = await invite({ organizationRole: 'admin' })
      const browser = browserAt(app.url, { 'Accept-Language': 'de' })
      const page = await browser.open(path)
      await expectValidHtml(page.text)
      expect(page.text).toContain('Academy &amp; Co')
      expect(page.text).not.toContain('<script')
      const filled = { username: 'zita', password, firstname: 'Zita', lastname: 'New' }
      const after = await browser.submit(page, path, filled)
      await expectValidHtml(after.text)
      expect([after.status, after.url]).toEqual([200, app.url + path])
      expect(after.text).toContain('Sie sind Mitglied von Academy &amp; Co')
      const user = await row('zita')
      expect(user).toMatchObject({
        organization_id: organization,
        organization_role: 'admin',
        lastname: 'New',
      })
      expect(user).toMatchObject({ email: null, email_vouched: 0, locale: 'de' })
      expect(await usedBy(id)).toEqual([user?.id])
      expect(await auditOf(app, user?.id ?? '')).toEqual([
        {
          organization,
          actor: user?.id,
          action: 'invitation.accepted',
          details: { invitation: id, role: 'admin' },
        },
        { organization, actor: user?.id, action: 'user.signed-in', details: {} },
      ])
    })

    it('uses the invited address, and gives access to scores that are shared with it', async () => {
      const email = 'yara@academy.example'
      const { id } = (await anna.post('/scores', emptyPiano())).body
      await anna.post(`/scores/${id}/collaborators`, { userEmail: email })
      const { path } = await invite({ email })
      expect((await signUp(path, 'yara')).status).toBe(303)
      expect(await row('yara')).toMatchObject({
        email,
        email_vouched: 1,
        email_verified: 0,
        organization_role: 'teacher',
      })
      const { body } = await anna.get(`/scores/${id}`)
      expect(
        withoutOwner<{ user: { username: string } }>(body.collaborators).map(
          ({ user }: { user: { username: string } }) => user?.username,
        ),
      ).toEqual(['yara'])
    })

    it('only links to the sign-in page if the organization does not permit new accounts', async () => {
      const closed = await app.organization('Closed')
      const clara = await app.person('clara', { organization: closed, role: 'admin' })
      const { path } = await invite({}, clara)
      const { text } = await browserAt(app.url).open(path)
      await expectValidHtml(text)
      expect(text).not.toContain('<form')
      expect(text).toContain('/auth/signin?next=%2Finvitations%2F')
      const username = name()
      expect((await signUp(path, username)).status).toBe(404)
      expect(await row(username)).toBeUndefined()
      expect((await join(await app.person(name()), path)).after.text).toContain('You are a member of Closed')
    })

    it.each([
      [{ username: 'ada' }, 409, 'This username is already taken'],
      [{ username: 'two words' }, 400, 'Choose a username of 1 to 30 characters'],
      [{ username: '' }, 400, 'Choose a username of 1 to 30 characters'],
      [{ password: 'secret1' }, 400, 'Choose a password of 8 to 1000 characters'],
      [{ password: 'Password1' }, 400, 'This is one of the most common passwords'],
      [{ firstname: 'x'.repeat(61) }, 400, 'Use at most 60 characters'],
    ])('shows an error for %j and keeps the other fields', async (fields, status, message) => {
      const { path, id } = await invite()
      const response = await signUp(path, 'wanda', { lastname: '"><b>', ...fields })
      const text = await response.text()
      await expectValidHtml(text)
      expect([response.status, text.includes(message)]).toEqual([status, true])
      expect(text).toContain('value="&quot;&gt;&lt;b&gt;"')
      expect(text).not.toContain(password)
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(await usedBy(id)).toEqual([])
    })

    it('creates at most 300 accounts per network in 15 minutes', async () => {
      const { path } = await invite()
      const limits = [{ key: ['join', '203.0.113.7'], max: 300 }]
      await app.ctx.transaction(async (tx) => {
        for (let count = 0; count < 299; count++) await countAttempt(app.ctx, tx, limits)
      })
      const from = (address: string) =>
        send(path, { username: name(), password }, { 'X-Forwarded-For': address }).then(
          ({ status, headers }) => [status, headers.get('retry-after')],
        )
      expect(await from('203.0.113.7')).toEqual([303, null])
      expect(await from('203.0.113.7')).toEqual([429, '900'])
      expect(await from('203.0.113.8')).toEqual([303, null])
    })
  })

  describe('for a user with an account', () => {
    it('leads to the sign-in page and back, and adds an individual account', async () => {
      const vera = await app.person('vera', { email: 'vera@elsewhere.example' })
      const { path, id } = await invite()
      const browser = browserAt(app.url)
      const link = /href="(\/auth\/signin[^"]*)"/.exec((await browser.open(path)).text)?.[1] ?? ''
      const page = await browser.submit(await browser.open(link), '/auth/signin', {
        username: 'vera',
        password,
      })
      expect(page.url).toBe(app.url + path)
      await expectValidHtml(page.text)
      expect(page.text).toContain('your account vera will belong to Academy &amp; Co')
      expect((await vera.get('/me')).body.organization).toBeUndefined()
      const after = await browser.submit(page, path)
      expect(after.text).toContain('You are a member of Academy &amp; Co')
      const { body } = await vera.get('/me')
      expect([body.id, body.organization, body.organizationRole]).toEqual([vera.id, organization, 'teacher'])
      // The organization does not vouch for this address.
      expect(await row('vera')).toMatchObject({ email: 'vera@elsewhere.example', email_vouched: 0 })
      expect(await usedBy(id)).toEqual([vera.id])
    })

    it('refuses a session that has ended since the request arrived', async () => {
      const kim = await app.person('kim')
      const { path, id } = await invite()
      const browser = await signedIn(app, kim)
      const page = await browser.open(path)
      const after = await requestWhileSessionEnds(app, kim, () => browser.submit(page, path))
      expect(after.text).toContain('action="/auth/signin"')
      expect(after.text).toContain(`name="next" value="${path}"`)
      expect(await row('kim')).toMatchObject({ organization_id: null })
      expect(await usedBy(id)).toEqual([])
    })

    it('vouches for the account’s address if it was invited', async () => {
      const uli = await app.person('uli', { email: 'Uli@elsewhere.example' })
      await app.ctx.transaction((tx) => updateUser(tx, uli.id, { email_vouched: 0 }))
      await join(uli, (await invite({ email: 'uli@Elsewhere.example' })).path)
      expect(await row('uli')).toMatchObject({ organization_id: organization, email_vouched: 1 })
    })

    it('raises the role of a member, in classes too, and never lowers it', async () => {
      const sam = await app.person('sam', { organization })
      const { id, teachersGroup } = await newClass(app, organization, { teachers: [ada], students: [sam] })
      const { path } = await invite()
      const { page, after } = await join(sam, path)
      expect(page.text).toContain('already belongs to Academy &amp; Co')
      expect(after.text).toContain('You are a member of')
      expect((await sam.get('/me')).body.organizationRole).toBe('teacher')
      expect((await sam.get(`/classes/${id}`)).body.teachersGroup).toMatchObject({
        id: teachersGroup,
        usersCount: 2,
      })
      const other = await invite()
      const browser = await signedIn(app, ada)
      expect((await browser.open(other.path)).text).toContain('You are a member of')
      expect((await browser.open(other.path, { method: 'POST', body: new URLSearchParams() })).status).toBe(
        200,
      )
      expect((await ada.get('/me')).body.organizationRole).toBe('admin')
      expect(await usedBy(other.id)).toEqual([])
    })

    it('removes a student who becomes a teacher from the assignees of assignments', async () => {
      const sue = await app.person('sue', { organization })
      const tom = await app.person('tom', { organization })
      const schoolClass = await newClass(app, organization, { teachers: [ada], students: [sue, tom] })
      const assignedStudents = [sue.id, tom.id]
      const { id } = await newAssignment(ada, schoolClass, { assigneeMode: 'selected', assignedStudents })
      await join(sue, (await invite()).path)
      const { body } = await ada.get(`/classes/${schoolClass.id}/assignments/${id}`)
      expect(body.assignedStudents).toEqual([tom.id])
    })

    it('refuses members of other organizations and test students', async () => {
      const other = await app.person('other', { organization: await app.organization(), role: 'teacher' })
      const tester = await app.person('tester', { organization })
      await app.ctx.transaction((tx) => updateUser(tx, tester.id, { is_test_student: 1 }))
      const { path, id } = await invite()
      for (const person of [other, tester]) {
        const browser = await signedIn(app, person)
        const page = await browser.open(path)
        await expectValidHtml(page.text)
        expect(page.text).toContain('belongs to another organization, so it cannot join')
        expect((await browser.open(path, { method: 'POST', body: new URLSearchParams() })).status).toBe(403)
      }
      expect((await other.get('/me')).body.organizationRole).toBe('teacher')
      expect(await usedBy(id)).toEqual([])
    })
  })

  describe('is valid', () => {
    const statusOf = async (path: string) => (await fetch(app.url + path)).status
    const expectInvalid = async (path: string) => {
      const username = name()
      const [expired, none] = [await fetch(app.url + path), await fetch(`${app.url}/invitations/aaaaaaaaaa`)]
      expect([expired.status, none.status]).toEqual([404, 404])
      expect(await expired.text()).toBe(await none.text())
      expect((await signUp(path, username)).status).toBe(404)
      expect(await row(username)).toBeUndefined()
    }

    it('once if it is for an address, even after the account that used it is deleted', async () => {
      const { path } = await invite({ email: 'once@academy.example' })
      const browser = browserAt(app.url)
      const username = name()
      await browser.submit(await browser.open(path), path, { username, password })
      await expectInvalid(path)
      // The page tells a user who has used the invitation.
      expect((await browser.open(path)).text).toContain('You are a member of')
      const { id = '' } = (await row(username)) ?? {}
      await ada.delete(`/organizations/users/${id}`)
      await app.ctx.transaction((tx) => tx.deleteFrom('users').where('id', '=', id).execute())
      await expectInvalid(path)
    })

    it('for any number of users if it is not for an address', async () => {
      const { path, id } = await invite()
      for (let count = 0; count < 3; count++) expect((await signUp(path, name())).status).toBe(303)
      expect(await usedBy(id)).toHaveLength(3)
    })

    it('until it is deleted', async () => {
      const { path, id } = await invite()
      expect(await statusOf(path)).toBe(200)
      await anna.delete(`/organizations/invitations/${id}`)
      await expectInvalid(path)
    })

    it('while its creator has the permission to create it', async () => {
      const boss = await app.person('boss', { organization, role: 'accountAdmin' })
      const [high, low] = [await invite({ organizationRole: 'accountAdmin' }, boss), await invite({}, boss)]
      await anna.put(`/organizations/users/${boss.id}`, { organizationRole: 'admin' })
      await expectInvalid(high.path)
      expect(await statusOf(low.path)).toBe(200)
      await anna.put(`/organizations/users/${boss.id}`, { organizationRole: 'teacher' })
      await expectInvalid(low.path)
      await anna.put(`/organizations/users/${boss.id}`, { organizationRole: 'admin' })
      expect(await statusOf(low.path)).toBe(200)
      await anna.delete(`/organizations/users/${boss.id}`)
      await expectInvalid(low.path)
    })
  })

  it('refuses cross-site requests', async () => {
    const { path } = await invite()
    const username = name()
    const fields = { username, password }
    expect((await send(path, fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await send(path, fields, { Origin: 'https://evil.example' })).status).toBe(403)
    expect(await row(username)).toBeUndefined()
  })

  it('gives a single use and the last seat to one of two concurrent users on two servers', async () => {
    await onTwoServers(databases, async ({ app, otherUrl }) => {
      const id = await app.organization()
      const [vic, otto] = [
        await app.person('vic', { organization: id, role: 'admin' }),
        await app.person('otto'),
      ]
      const inviteOn = async (body: object) =>
        new URL((await vic.post('/organizations/invitations', body)).body.htmlUrl).pathname
      const tryAll = async (path: string, names: string[]) => {
        const replies = names.map((username, index) =>
          fetch(new URL(path, index % 2 ? otherUrl : app.url), {
            method: 'POST',
            redirect: 'manual',
            body: new URLSearchParams({ username, password }),
          }),
        )
        return (await Promise.all(replies)).map(({ status }) => status).sort()
      }
      await limit(app, id, { allows_sign_up_by_code: 1 })
      const singleUse = await inviteOn({ email: 'one@academy.example' })
      expect(await tryAll(singleUse, ['a1', 'a2', 'a3', 'a4'])).toEqual([303, 404, 404, 404])
      await limit(app, id, { max_seats: 3 })
      expect(await tryAll(await inviteOn({}), ['b1', 'b2', 'b3', 'b4'])).toEqual([303, 402, 402, 402])
      const browser = await signedIn(app, otto)
      const path = await inviteOn({})
      const after = await browser.submit(await browser.open(path), path)
      expect([after.status, after.text.includes('has reached its maximum number of members')]).toEqual([
        402,
        true,
      ])
    })
  })
})
