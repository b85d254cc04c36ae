import { describe, expect, it } from 'vitest'
import { accountIn } from '../../test/support/account.ts'
import { type Person, useApp } from '../../test/support/app.ts'
import { actsOn, auditOf } from '../../test/support/audit.ts'
import type { Browser } from '../../test/support/browser.ts'
import { clientOf } from '../../test/support/client.ts'
import { minute, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { readable, useMailServer } from '../../test/support/mail-server.ts'
import { newClient, password, signedIn, tokensFor } from '../../test/support/oauth.ts'
import { countAttempt } from '../features/sessions/attempts.ts'
import { noteFailedSignIn } from '../features/sessions/failed-sign-ins.ts'
import { beginSession } from '../features/sessions/session.ts'
import { afterPassword, withSecondFactor } from '../../test/support/second-factors.ts'

const mailServer = useMailServer()

describeEachDatabase('how one signs in', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings(), { clock })
  let count = 0
  async function somebody(about: { email?: string } = {}): Promise<{ person: Person; browser: Browser }> {
    const person = await app.person(`person${++count}`, about)
    return { person, browser: await signedIn(app, person) }
  }
  const actionsOn = async ({ id }: Person) => (await actsOn(app, id)).map(({ action }) => action)

  it('is told to who is signed in: second factor, address, sessions', async () => {
    const { person, browser } = await somebody({ email: 'person@example.com' })
    clock.forward(minute)
    await withSecondFactor(app, person)
    const { body } = await accountIn(browser).get('/security')
    expect(body).toEqual({
      hasPassword: true,
      secondFactor: { isOn: true, recoveryCodesLeft: 10 },
      email: { address: 'person@example.com', isVerified: false, waiting: null, canBeVerified: true },
      sessions: [
        {
          startedAt: new Date(clock.now() - minute).toISOString(),
          endsAt: new Date(clock.now() - minute + 14 * 24 * 60 * minute).toISOString(),
          isCurrent: true,
          isByLink: false,
        },
      ],
    })
  })

  describe('another password', () => {
    it('ends all that was signed in but the browser in which it is chosen, and is told by mail', async () => {
      const { person, browser } = await somebody({ email: 'changed@example.com' })
      const elsewhere = await signedIn(app, person)
      const { access_token } = await tokensFor(app, person, await newClient(app), { access_type: 'offline' })
      const before = browser.cookies.get('partita_session')
      const change = { currentPassword: password, password: 'another one' }
      const { status, body } = await accountIn(browser).put('/security/password', change)
      expect([status, body.sessions]).toEqual([200, [expect.objectContaining({ isCurrent: true })]])
      expect(browser.cookies.get('partita_session')).not.toBe(before)
      expect((await accountIn(browser).get('/me')).status).toBe(200)
      expect((await accountIn(elsewhere).get('/me')).status).toBe(401)
      expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
      expect((await person.get('/me')).status).toBe(401)
      await expect(signedIn(app, person)).rejects.toThrow('not signed in')
      expect(await actionsOn(person)).toEqual(['user.password-changed'])
      await app.jobsDone()
      const mail = readable(mailServer.mails.at(-1))
      expect(mail).toContain('To: changed@example.com')
      expect(mail).toContain(`The password of your account ${person.username} at ${app.url} was changed`)
      expect(mail).not.toContain('another one')
    })

    it('is not chosen without the one of before, nor where it is too short', async () => {
      const { person, browser } = await somebody()
      const account = accountIn(browser)
      const wrong = await account.put('/security/password', { currentPassword: 'guess', password: 'another one' })
      expect([wrong.status, wrong.body.code]).toEqual([403, 'WRONG_PASSWORD'])
      const short = await account.put('/security/password', { currentPassword: password, password: 'short' })
      expect([short.status, short.body.param]).toEqual([400, 'password'])
      expect(await actionsOn(person)).toEqual([])
      expect((await account.get('/me')).status).toBe(200)
    })

    it('is tried ten times in a quarter of an hour, which nobody else can use up', async () => {
      const { person, browser } = await somebody()
      const account = accountIn(browser)
      const change = (currentPassword: string) =>
        account.put('/security/password', { currentPassword, password: 'another one' })
      const statuses: number[] = []
      while (!statuses.includes(429)) {
        const guesses = await Promise.all(Array.from({ length: 12 }, (_, n) => change(`guess ${n}`)))
        statuses.push(...guesses.map(({ status }) => status))
      }
      expect(statuses.filter((status) => status === 403)).toHaveLength(10)
      // Three at once are looked at.
      expect(new Set(statuses)).toEqual(new Set([403, 429, 503]))
      const refused = await change(password)
      expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
      expect(refused.headers.get('retry-after')).toBe('900')
      expect((await signedIn(app, person)).cookies.has('partita_session')).toBe(true)
      clock.forward(15 * minute)
      expect((await change(password)).status).toBe(200)
    })

    it('is chosen once by two who do it at once in one session', async () => {
      const { browser } = await somebody()
      const account = accountIn(browser)
      const answers = await Promise.all(
        ['one of two', 'two of two'].map((chosen) =>
          account.put('/security/password', { currentPassword: password, password: chosen }),
        ),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses[0]).toBe(200)
      expect([401, 403]).toContain(statuses[1])
    })

    it('does not take the second factor off', async () => {
      const { person, browser } = await somebody()
      await withSecondFactor(app, person)
      await accountIn(browser).put('/security/password', { currentPassword: password, password })
      expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(false)
    })
  })

  it('is proved sixty times in a quarter of an hour, where the password is right', async () => {
    const { person, browser } = await somebody()
    const account = accountIn(browser)
    await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 59; n++) await countAttempt(app.ctx, tx, [{ of: ['proof', 'right', person.id], most: 60 }])
    })
    const begin = async () => (await account.post('/security/second-factor', { password })).status
    expect(await begin()).toBe(201)
    expect(await begin()).toBe(429)
    clock.forward(15 * minute)
    expect(await begin()).toBe(201)
  })

  it('is told by mail once a day where somebody has the password and gives wrong codes; the log has it apart', async () => {
    const email = `guessed-${databases.dialect}@example.com`
    const { person } = await somebody({ email })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ locale: 'de' }).where('id', '=', person.id).execute(),
    )
    await withSecondFactor(app, person)
    const notices = () => mailServer.mails.filter((mail) => mail.includes(`To: ${email}`)).map(readable)
    const guess = async (times: number) => {
      const { browser, page } = await afterPassword(app, person)
      for (let n = 0; n < times; n++) await browser.submit(page, '/auth/second-step', { code: 'wrong' })
      await app.jobsDone()
    }
    // Anybody can have these written.
    for (let n = 0; n < 10; n++) await app.ctx.transaction((tx) => noteFailedSignIn(app.ctx, tx, person.id))
    await guess(2)
    expect(notices()).toEqual([])
    await guess(8)
    clock.forward(15 * minute)
    await guess(3)
    expect(notices()).toEqual([expect.stringContaining('danach mehrere falsche Codes')])
    const failed = (await auditOf(app, person.id)).filter(({ action }) => action === 'user.sign-in-failed')
    const second = failed.filter(({ details }) => details.step === 'second')
    expect([failed.length, second.length]).toEqual([23, 13])
    clock.forward(24 * 60 * minute)
    await guess(3)
    expect(notices()).toHaveLength(2)
  })

  it('in a hundred places at once: with another one the oldest ends', async () => {
    const { person, browser } = await somebody()
    clock.forward(minute)
    const newest = await signedIn(app, person)
    await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 98; n++) await beginSession(app.ctx, tx, person.id)
    })
    expect((await accountIn(browser).get('/security')).body.sessions).toHaveLength(100)
    clock.forward(minute)
    await signedIn(app, person)
    expect((await accountIn(browser).get('/security')).status).toBe(401)
    expect((await accountIn(newest).get('/security')).body.sessions).toHaveLength(100)
  })

  it('in other browsers is ended from one, and what somebody has begun there', async () => {
    const { person, browser } = await somebody()
    const [other, another] = [await signedIn(app, person), await signedIn(app, person)]
    const account = accountIn(browser)
    expect((await account.get('/security')).body.sessions).toHaveLength(3)
    expect((await account.post('/security/sessions/end-others')).status).toBe(204)
    expect((await account.get('/security')).body.sessions).toHaveLength(1)
    for (const ended of [other, another]) expect((await accountIn(ended).get('/me')).status).toBe(401)
    expect((await person.get('/me')).status).toBe(200)
    await account.post('/security/sessions/end-others')
    expect(await actsOn(app, person.id)).toEqual([
      { organization: null, actor: person.id, action: 'user.sessions-ended', details: { sessions: 2 } },
    ])
  })
})
