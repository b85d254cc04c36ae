import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { type GivenPin, givePins } from '../../../test/support/class-pins.ts'
import { newClass, type TestClass } from '../../../test/support/classes.ts'
import { internalClient, sessionClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { limit } from '../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { hour, minute } from '../../lib/durations.ts'

describeEachDatabase('the sign-in page of a class', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let school: School
  let schoolClass: TestClass
  let code: string
  let sam: GivenPin
  let sol: GivenPin

  beforeAll(async () => {
    school = await makeSchool(app)
    const { id, tess } = school
    schoolClass = await newClass(app, id, { teachers: [tess], students: [school.sam, school.sol] })
    const given = await givePins(app, id, schoolClass, tess)
    code = given.code
    ;[sam, sol] = given.cards as [GivenPin, GivenPin]
  })

  const pathOf = ({ id }: { id: string }) => `/auth/class/${code}/${id}`
  const wrong = ({ pin }: GivenPin, n = 1) => String((Number(pin) + n) % 10_000).padStart(4, '0')
  async function enter(pupil: GivenPin, pin: string, browser = browserAt(app.url)) {
    const { status } = await browser.submit(await browser.open(pathOf(pupil)), pathOf(pupil), { pin })
    return { browser, status }
  }

  it('lists the students with a PIN by first names, and opens their rights alone for a day', async () => {
    const page = await browserAt(app.url).open(`/auth/class/${code.toUpperCase()}`)
    expect(page.text.match(/<span>[^<]+<\/span><\/a>/g)).toEqual([
      '<span>sam</span></a>',
      '<span>sol</span></a>',
    ])
    expect(page.text).not.toMatch(/tess|tara|ada/)
    const { browser } = await enter(sam, sam.pin)
    expect(await browser.signedInAs()).toBe('sam')
    expect((await sessionClient(browser).get(`/classes/${schoolClass.id}`)).status).toBe(200)
    // Nothing that outlives the session: no account, no token, no password.
    const own = internalClient(browser)
    expect((await own.get('/security')).status).toBe(403)
    expect((await own.post('/tokens', { name: 'x', scopes: ['scores'] })).status).toBe(403)
    expect((await browser.open('/account')).status).toBe(403)
    expect((await browser.open('/auth/own-password')).text).toContain('Not with a PIN')
    expect((await auditOf(app, sam.id)).at(-1)).toMatchObject({
      action: 'user.signed-in',
      details: { by: 'pin' },
    })
    const [session] = (
      await internalClient(await signedIn(app, school.ada)).get(`/members/${sam.id}/sign-ins`)
    ).body.sessions
    expect(session.openedBy).toBe('PIN')
    expect((await browser.open('/auth/signin')).text).toContain(`href="/auth/class/${code}"`)
    clock.forward(11 * hour)
    expect(await browser.signedInAs()).toBe(undefined)
  })

  it('knows no other code and no other account', async () => {
    expect((await browserAt(app.url).open('/auth/class/abcdefghjk')).status).toBe(404)
    for (const other of [school.tess, school.otto]) {
      const page = await browserAt(app.url).open(pathOf(other))
      expect([page.url, page.status]).toEqual([`${app.url}/auth/class/${code}`, 200])
    }
  })

  it('refuses more than five wrong PINs, and then also the right one, but not to a device of the student', async () => {
    const { browser: own } = await enter(sol, sol.pin)
    const { browser } = await enter(sol, wrong(sol))
    for (let n = 2; n <= 5; n++) expect((await enter(sol, wrong(sol, n), browser)).status).toBe(401)
    expect((await enter(sol, sol.pin, browser)).status).toBe(429)
    expect((await enter(sol, sol.pin, browserAt(app.url))).status).toBe(429)
    expect((await enter(sol, sol.pin, own)).status).toBe(200)
    expect((await enter(sam, sam.pin)).status).toBe(200)
    // After fifteen minutes there are five more, and twenty a day.
    for (let round = 0; round < 3; round++) {
      clock.forward(16 * minute)
      for (let n = 1; n <= 5; n++) expect((await enter(sol, wrong(sol, n))).status).toBe(401)
    }
    clock.forward(16 * minute)
    expect((await enter(sol, wrong(sol))).status).toBe(429)
  })

  it('ends the sessions with the PIN, with the role, and with the rule of the organization', async () => {
    const [first, second] = [(await enter(sam, sam.pin)).browser, (await enter(sam, sam.pin)).browser]
    const teacher = internalClient(await signedIn(app, school.tess))
    const pins = `/classes/${schoolClass.id}/sign-in/pins`
    const [card] = (await teacher.post(pins, { students: [sam.id] })).body.cards
    expect([await first.signedInAs(), await second.signedInAs()]).toEqual([undefined, undefined])
    const { browser } = await enter(card, card.pin)
    expect(await browser.signedInAs()).toBe('sam')
    await limit(app, school.id, { allows_picture_sign_in: 0 })
    clock.forward(minute)
    expect(await browser.signedInAs()).toBe(undefined)
    expect((await browserAt(app.url).open(`/auth/class/${code}`)).status).toBe(404)
    await limit(app, school.id, { allows_picture_sign_in: 1 })
    await school.ada.put(`/organizations/users/${sam.id}`, { organizationRole: 'teacher' })
    expect((await browserAt(app.url).open(`/auth/class/${code}`)).text).not.toContain(sam.id)
  })
})
