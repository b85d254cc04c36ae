import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { type Browser, browserAt, type BrowserPage } from '../../../test/support/browser.ts'
import { internalClient } from '../../../test/support/client.ts'
import { newClass } from '../../../test/support/classes.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { rosterFolder } from '../../../test/support/rosters.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { withSecondFactor } from '../../../test/support/second-factors.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { importRoster } from '../../features/people/roster/import.ts'
import { updateUser } from '../../features/people/users/store.ts'
import { day } from '../../lib/durations.ts'

const mailServer = useMailServer()
const path = '/auth/own-password'
const [setPassword, chosen] = ['battery staple', 'my own secret']

describeEachDatabase('a password that another person has set', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings(), { clock })
  const rosters = rosterFolder()
  let n = 0

  /** Creates a school in which this person has set the password of the student `sam`. */
  async function schoolAfterReset(by: 'tess' | 'ada'): Promise<School> {
    const school = await makeSchool(app, String(++n))
    await newClass(app, school.id, { teachers: [school.tess], students: [school.sam] })
    await reset(school, by)
    return school
  }
  async function reset(school: School, by: 'tess' | 'ada'): Promise<void> {
    const body = { password: setPassword }
    const { status } = await school[by].put(`/organizations/users/${school.sam.id}`, body)
    expect(status).toBe(200)
  }
  async function signIn({ username }: Pick<Person, 'username'>, password: string, language = 'en') {
    const browser = browserAt(app.url, { 'Accept-Language': language })
    const form = await browser.open('/auth/signin?next=/healthz')
    return { browser, page: await browser.submit(form, '/auth/signin', { username, password }) }
  }
  const choose = (browser: Browser, page: BrowserPage, password = chosen, currentPassword = setPassword) =>
    browser.submit(page, path, { currentPassword, password })
  const securityOf = (browser: Browser) => internalClient(browser).get('/security')

  it('is followed at the sign-in by the choice of another one, which says who set it', async () => {
    const { sam, tess } = await schoolAfterReset('tess')
    const { browser, page } = await signIn(sam, setPassword, 'de')
    expect(new URL(page.url).pathname).toBe(path)
    await expectValidHtml(page.text)
    expect(page.text).toContain(`${tess.username} hat das Passwort Ihres Kontos am`)
    expect(page.text).toContain('href="/healthz"')
    const refused = async (current: string, password: string) => {
      const { status, text } = await choose(browser, page, password, current)
      await expectValidHtml(text)
      return [status, /class="wrong" role="alert">([^<]*)/.exec(text)?.[1]]
    }
    expect(await refused('wrong', chosen)).toEqual([403, 'Dieses Passwort ist falsch.'])
    expect(await refused(setPassword, setPassword)).toEqual([
      400,
      'Wählen Sie ein anderes Passwort als das aktuelle.',
    ])
    expect(await refused(setPassword, 'short')).toEqual([
      400,
      'Wählen Sie ein Passwort von 8 bis 1000 Zeichen.',
    ])
    expect((await choose(browser, page)).url).toContain('/healthz')
  })

  it('ends with the choice, but the limits stay if a teacher had set it, until a mailed link', async () => {
    const { sam } = await schoolAfterReset('tess')
    await app.ctx.transaction((tx) => updateUser(tx, sam.id, { email: `sam${n}@school.example` }))
    const teacher = await signIn(sam, setPassword)
    const { browser, page } = await signIn(sam, setPassword)
    await choose(browser, page)
    expect(await teacher.browser.signedInAs()).toBe(undefined)
    expect((await signIn(sam, setPassword)).page.status).toBe(401)
    expect((await browser.open('/account')).status).toBe(403)
    expect((await securityOf(browser)).body.code).toBe('DELEGATED_SESSION')

    const again = await signIn(sam, chosen)
    expect(new URL(again.page.url).pathname).toBe('/healthz')
    expect((await securityOf(again.browser)).body.code).toBe('DELEGATED_SESSION')
    const explanation = await again.browser.open(path)
    await expectValidHtml(explanation.text)
    expect(explanation.text).toContain('A teacher has known the password')
    await choose(again.browser, explanation, 'another secret', chosen)
    expect((await securityOf(again.browser)).body.code).toBe('DELEGATED_SESSION')
    const events = (await auditOf(app, sam.id))
      .filter(({ actor }) => actor === sam.id)
      .map(({ action, details }) => [action, details.actorPasswordOrigin])
    expect(events.slice(-3)).toEqual([
      ['user.password-changed', 'teacher'],
      ['user.signed-in', 'unproven'],
      ['user.password-changed', 'unproven'],
    ])

    const owner = browserAt(app.url)
    await owner.submit(await owner.open('/auth/password'), '/auth/password', {
      username: sam.username,
    })
    await app.jobsDone()
    const links = mailServer.mails.map((mail) => /\/auth\/password\/\w+/.exec(readable(mail))?.[0])
    const link = links.findLast((one) => one !== undefined) ?? ''
    await owner.submit(await owner.open(link), link, { password: chosen })
    expect((await securityOf(owner)).status).toBe(200)
    const { details } = (await auditOf(app, sam.id)).at(-1) ?? {}
    expect(details).toEqual({})
  })

  it('ends when the user replaces the password that an administrator set last, even if a teacher set one before', async () => {
    const school = await schoolAfterReset('tess')
    const first = await signIn(school.sam, setPassword)
    await choose(first.browser, first.page)
    await reset(school, 'ada')
    const { browser, page } = await signIn(school.sam, setPassword)
    expect((await securityOf(browser)).body.code).toBe('DELEGATED_SESSION')
    await choose(browser, page)
    const { status, body } = await securityOf(browser)
    expect([status, body.passwordSetBy.username]).toEqual([200, school.ada.username])
    expect((await signIn(school.sam, setPassword)).page.status).toBe(401)
  })

  it('is the first password of an account that an administrator or a roster created, too', async () => {
    const { ada, id: organization } = await makeSchool(app, String(++n))
    await ada.post('/organizations/users', { username: `new${n}`, password: setPassword })
    const roster = await rosters.file('username,password', `listed${n},${setPassword}`)
    const options = { organization, isDryRun: false, state: 'active', onProgress() {} } as const
    await importRoster(app.ctx, { path: roster, ...options })
    for (const username of [`new${n}`, `listed${n}`]) {
      const { browser, page } = await signIn({ username }, setPassword)
      expect(new URL(page.url).pathname).toBe(path)
      expect(page.text.includes(`${ada.username} set the password`)).toBe(username === `new${n}`)
      expect((await securityOf(browser)).body.code).toBe('DELEGATED_SESSION')
      await choose(browser, page)
      expect((await securityOf(browser)).status).toBe(200)
      expect((await signIn({ username }, setPassword)).page.status).toBe(401)
    }
  })

  it('is followed by the choice of another one after the second factor, too', async () => {
    const { sam } = await schoolAfterReset('ada')
    const factor = await withSecondFactor(app, sam)
    const { browser, page } = await signIn(sam, setPassword)
    const shown = await browser.submit(page, '/auth/second-step', { code: factor.code() })
    expect(new URL(shown.url).pathname).toBe(path)
    await choose(browser, shown)
    expect((await securityOf(browser)).status).toBe(200)
  })

  it('is reported on the security page for 30 days', async () => {
    const { sam, ada } = await schoolAfterReset('ada')
    const { browser, page } = await signIn(sam, setPassword)
    await choose(browser, page)
    const setBy = async () => (await securityOf(browser)).body.passwordSetBy?.username
    expect(await setBy()).toBe(ada.username)
    clock.forward(10 * day)
    expect(await setBy()).toBe(ada.username)
    const later = await signIn(sam, chosen)
    clock.forward(20 * day)
    const owner = (await signIn(sam, chosen)).browser
    expect((await securityOf(owner)).body.passwordSetBy).toBe(null)
    expect(await later.browser.signedInAs()).toBe(undefined)
  })

  it('is not replaced without a session, by a session of a sign-in link, or by an ordinary one', async () => {
    const { sam, sol, ada } = await schoolAfterReset('tess')
    const anonymous = await browserAt(app.url).open(path)
    expect(anonymous.text).toContain('action="/auth/signin"')
    const ordinary = await signedIn(app, sol)
    const elsewhere = await ordinary.fetch(path)
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([
      303,
      `${app.url}/account/security`,
    ])
    const byLink = browserAt(app.url)
    const link = await ada.post(`/organizations/users/${sam.id}/signinLink`, {})
    await byLink.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
    expect((await byLink.open(path)).status).toBe(403)
    const body = new URLSearchParams({ currentPassword: setPassword, password: chosen })
    expect((await byLink.open(path, { method: 'POST', body })).status).toBe(403)
    expect((await signIn(sam, setPassword)).page.status).toBe(200)
  })
})
