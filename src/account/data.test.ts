import { beforeAll, describe, expect, it } from 'vitest'
import { accountIn } from '../../test/support/account.ts'
import { useApp } from '../../test/support/app.ts'
import { type Browser, browserAt } from '../../test/support/browser.ts'
import { day, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { signedIn } from '../../test/support/oauth.ts'
import { makeSchool, type School } from '../../test/support/school.ts'
import { accountRoutes } from './data.ts'

describeEachDatabase('what the browser app asks', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let browser: Browser

  beforeAll(async () => {
    people = await makeSchool(app)
    browser = await signedIn(app, people.tess)
  })

  /** Holds of every route that it is refused so, whatever it would do. */
  async function expectRefused(by: Browser, init: RequestInit, refusal: [status: number, code: string]) {
    expect(accountRoutes.length).toBeGreaterThan(6)
    for (const { method, path } of accountRoutes) {
      const { status, headers, text } = await by.open(`/account/data${path.replaceAll(/\{\w+\}/g, 'x')}`, {
        ...init,
        method,
      })
      expect([method, path, status, JSON.parse(text).code]).toEqual([method, path, ...refusal])
      expect(headers.get('cache-control')).toBe('no-store')
    }
  }

  it('says who is signed in', async () => {
    const { status, body } = await accountIn(browser).get('/me')
    const { id, username } = people.tess
    expect([status, body]).toEqual([200, { id, username, email: null, organizationRole: 'teacher' }])
  })

  describe('is refused', () => {
    it('without a session, and with a token instead of one', async () => {
      const headers = { Authorization: `Bearer ${people.tess.token}` }
      for (const init of [{}, { headers }]) await expectRefused(browserAt(app.url), init, [401, 'UNAUTHORIZED'])
    })

    it('by a session that somebody else’s link has begun', async () => {
      const byLink = browserAt(app.url)
      const link = await people.ada.post(`/organizations/users/${people.tess.id}/signinLink`, {})
      await byLink.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
      expect(byLink.cookies.has('partita_session')).toBe(true)
      await expectRefused(byLink, {}, [403, 'SIGNED_IN_BY_LINK'])
    })

    it('after the 14 days of a session', async () => {
      const short = accountIn(await signedIn(app, people.sam))
      expect((await short.get('/me')).status).toBe(200)
      clock.forward(14 * day)
      expect((await short.get('/me')).status).toBe(401)
      browser = await signedIn(app, people.tess)
    })

    it.each<Record<string, string>>([
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      // A browser that says only where it is.
      { Origin: 'https://evil.example' },
    ])('from the page of another site: %j', async (headers) => {
      await expectRefused(browser, { headers }, [403, 'CROSS_SITE_REQUEST'])
    })

    it('where there is nothing, and in another form than JSON', async () => {
      expect((await browser.open('/account/data/nothing')).status).toBe(404)
      const form = await browser.open('/account/data/tokens', {
        method: 'POST',
        body: new URLSearchParams({ name: 'x' }),
      })
      expect([form.status, JSON.parse(form.text).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      const large = await accountIn(browser).post('/tokens', { name: 'x'.repeat(70_000), scopes: ['scores'] })
      expect(large.status).toBe(413)
      const none = await accountIn(browser).post('/tokens')
      expect([none.status, none.body.param]).toEqual([400, 'body'])
    })
  })

  it('is not part of the published interface, and no key of it opens that', async () => {
    const document = await (await fetch(`${app.url}/v2/openapi.json`)).text()
    expect(document).not.toContain('/account/data')
    expect((await browser.open('/v2/me')).status).toBe(401)
  })
})

describeEachDatabase('who asks without end in a browser', (databases) => {
  const app = useApp(databases, { rateLimitAuthenticated: '5' })

  it('has the quota of an account, apart from that of tokens: what has used those up is ended there', async () => {
    const sam = await app.person('sam')
    for (let n = 0; n < 6; n++) await sam.get('/me')
    const account = accountIn(await signedIn(app, sam))
    for (let n = 0; n < 5; n++) expect((await account.get('/me')).status).toBe(200)
    const { status, headers, body } = await account.get('/me')
    expect([status, body.code]).toEqual([403, 'API_RATE_LIMIT_EXCEEDED'])
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect((await accountIn(await signedIn(app, await app.person('sol'))).get('/me')).status).toBe(200)
  })
})
