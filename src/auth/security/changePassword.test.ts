import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actionsOn } from '../../../test/support/audit.ts'
import { clientOf, internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { newClient, tokensFor } from '../../../test/support/oauth.ts'
import { newSignedInUser, password, signedIn } from '../../../test/support/sessions.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'

const mailServer = useMailServer()

describeEachDatabase('changePassword', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings(), { clock })
  let count = 0
  const createUser = (about: { email?: string } = {}) => newSignedInUser(app, `person${++count}`, about)

  it('ends all other sessions, tokens and authorizations, and sends a mail', async () => {
    const { person, browser } = await createUser({ email: 'changed@example.com' })
    const otherBrowser = await signedIn(app, person)
    const { access_token } = await tokensFor(app, person, await newClient(app), { access_type: 'offline' })
    const before = browser.cookies.get('partita_session')
    const change = { currentPassword: password, password: 'another one' }
    const { status, body } = await internalClient(browser).put('/security/password', change)
    expect([status, body.sessions]).toEqual([200, [expect.objectContaining({ isCurrent: true })]])
    expect(browser.cookies.get('partita_session')).not.toBe(before)
    expect((await internalClient(browser).get('/me')).status).toBe(200)
    expect((await internalClient(otherBrowser).get('/me')).status).toBe(401)
    expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
    expect((await person.get('/me')).status).toBe(401)
    await expect(signedIn(app, person)).rejects.toThrow('not signed in')
    expect(await actionsOn(app, person)).toEqual(['user.password-changed'])
    await app.jobsDone()
    const mail = readable(mailServer.mails.at(-1))
    expect(mail).toContain('To: changed@example.com')
    expect(mail).toContain(`The password of your account ${person.username} on ${app.url} was changed`)
    expect(mail).not.toContain('another one')
  })

  it('refuses a wrong current password and a new one that is too short or common', async () => {
    const { person, browser } = await createUser()
    const account = internalClient(browser)
    const wrong = await account.put('/security/password', {
      currentPassword: 'guess',
      password: 'another one',
    })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'WRONG_PASSWORD'])
    const short = await account.put('/security/password', { currentPassword: password, password: 'short' })
    expect([short.status, short.body.param]).toEqual([400, 'password'])
    const common = await account.put('/security/password', {
      currentPassword: password,
      password: 'password1',
    })
    expect([common.status, common.body.code, common.body.param]).toEqual([400, 'COMMON_PASSWORD', 'password'])
    expect(await actionsOn(app, person)).toEqual([])
    expect((await account.get('/me')).status).toBe(200)
  })

  it('refuses the 11th wrong password in a quarter of an hour, without locking the account', async () => {
    const { person, browser } = await createUser()
    const account = internalClient(browser)
    const change = (currentPassword: string) =>
      account.put('/security/password', { currentPassword, password: 'another one' })
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, n) => change(`guess ${n}`)))
    expect(guesses.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(403), 429, 429])
    const refused = await change(password)
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    expect(refused.headers.get('retry-after')).toBe('900')
    expect((await signedIn(app, person)).cookies.has('partita_session')).toBe(true)
    clock.forward(15 * minute)
    expect((await change(password)).status).toBe(200)
  })

  it('lets one of two concurrent changes in one session win', async () => {
    const { browser } = await createUser()
    const account = internalClient(browser)
    const answers = await Promise.all(
      ['one of two', 'two of two'].map((chosen) =>
        account.put('/security/password', { currentPassword: password, password: chosen }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    expect([401, 403]).toContain(statuses[1])
  })

  it('keeps the second factor', async () => {
    const { person, browser } = await createUser()
    await withSecondFactor(app, person)
    await internalClient(browser).put('/security/password', { currentPassword: password, password })
    expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(false)
  })
})
