import { beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/operation.ts'
import { internalOperations } from '../../src/operations.ts'
import { useApp } from '../support/app.ts'
import { type Browser, browserAt } from '../support/browser.ts'
import { fromOwnPage, internalClient } from '../support/client.ts'
import { testClock } from '../support/clock.ts'
import { day } from '../../src/lib/durations.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { password, signedIn } from '../support/sessions.ts'
import { makeSchool, type School } from '../support/school.ts'

describeEachDatabase('operations of our own pages', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let browser: Browser

  beforeAll(async () => {
    people = await makeSchool(app)
    browser = await signedIn(app, people.tess)
  })

  /** Checks that every operation refuses a request in the same way. */
  async function expectRefused(
    by: Browser,
    headers: Record<string, string>,
    refusal: [status: number, code: string],
    operations: readonly { method: string; path: string }[] = Object.values(internalOperations),
  ) {
    expect(operations.length).toBeGreaterThan(6)
    for (const { method, path } of operations) {
      const address = `/internal${path.replaceAll(/\{\w+\}/g, 'x')}`
      const response = await by.fetch(address, { headers, method })
      const { code } = (await response.json()) as { code: string }
      expect([method, path, response.status, code]).toEqual([method, path, ...refusal])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  }

  it('accept sessions only', () => {
    expect(new Set(Object.values(internalOperations).map(({ accepts }) => accepts))).toEqual(
      new Set(['session']),
    )
  })

  it('take no body of more than 256 KiB, except pictures of profiles and rosters', () => {
    const { setProfilePicture, previewRoster, applyRoster, ...others } = internalOperations
    for (const { body, bodyLimit = Number.POSITIVE_INFINITY } of Object.values(others)) {
      if (body) expect(bodyLimit).toBeLessThanOrEqual(256 * 1024)
    }
    for (const { bodyLimit } of [setProfilePicture, previewRoster, applyRoster])
      expect(bodyLimit).toBeLessThanOrEqual(14 * 1024 * 1024)
  })

  describe('answer 401', () => {
    it('without a session', async () => {
      await expectRefused(browserAt(app.url), fromOwnPage, [401, 'UNAUTHORIZED'])
    })

    it('to a token', async () => {
      const headers = { ...fromOwnPage, Authorization: `Bearer ${people.tess.token}` }
      await expectRefused(browserAt(app.url), headers, [401, 'UNAUTHORIZED'])
    })

    it('to a session if an Authorization header is present as well', async () => {
      const headers = { ...fromOwnPage, Authorization: `Bearer ${people.tess.token}` }
      await expectRefused(browser, headers, [401, 'UNAUTHORIZED'])
    })

    it('after the 14 days of a session', async () => {
      const short = internalClient(await signedIn(app, people.sam))
      expect((await short.get('/me')).status).toBe(200)
      clock.forward(14 * day)
      expect((await short.get('/me')).status).toBe(401)
      browser = await signedIn(app, people.tess)
    })
  })

  describe('answer 403 to a delegated session, except for those that pages of scores and classes need,', () => {
    // Nothing here is about the account or the administration of a school.
    const accepting = new Set(['getSignedInUser', 'listScoreAccess', 'searchScorePeople', 'listHomeWork'])
    const refused = Object.values<Operation>(internalOperations).filter(({ id }) => !accepting.has(id))

    it('that a sign-in link has opened', async () => {
      const byLink = browserAt(app.url)
      const link = await people.ada.post(`/organizations/users/${people.tess.id}/signinLink`, {})
      await byLink.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
      expect(byLink.cookies.has('partita_session')).toBe(true)
      expect((await internalClient(byLink).get('/me')).body).toMatchObject({
        username: 'tess',
        isDelegated: true,
      })
      await expectRefused(byLink, fromOwnPage, [403, 'DELEGATED_SESSION'], refused)
    })

    it('that was opened with a password set by an administrator', async () => {
      const path = `/organizations/users/${people.sol.id}`
      expect((await people.ada.put(path, { password })).status).toBe(200)
      await expectRefused(await signedIn(app, people.sol), fromOwnPage, [403, 'DELEGATED_SESSION'], refused)
    })
  })

  it('answer 404 at an unknown address, 405 to another method, and 415 to a form', async () => {
    const account = internalClient(browser)
    expect((await account.get('/nothing')).status).toBe(404)
    const wrong = await account.put('/me')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const form = await browser.fetch('/internal/tokens', {
      method: 'POST',
      headers: fromOwnPage,
      body: new URLSearchParams({ name: 'x' }),
    })
    const { code } = (await form.json()) as { code: string }
    expect([form.status, code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('answer 413 to a body that is too large, and 400 if it is missing', async () => {
    const account = internalClient(browser)
    const large = await account.post('/tokens', { name: 'x'.repeat(70_000), scopes: ['scores'] })
    expect(large.status).toBe(413)
    const none = await account.post('/tokens')
    expect([none.status, none.body.param]).toEqual([400, 'body'])
  })

  it('have a document of their own, and are not in the published one', async () => {
    interface Document {
      servers: unknown
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const documentOf = async (mount: string) =>
      (await fetch(`${app.url}${mount}/openapi.json`)).json() as Promise<Document>
    const [published, own] = [await documentOf('/v2'), await documentOf('/internal')]
    expect(own.servers).toEqual([{ url: `${app.url}/internal` }])
    const ids = (document: Document) =>
      Object.values(document.paths).flatMap((item) =>
        Object.values(item).map(({ operationId }) => operationId),
      )
    expect(ids(own).sort()).toEqual(Object.keys(internalOperations).sort())
    expect(ids(published).filter((id) => id in internalOperations)).toEqual([])
    expect(JSON.stringify(published)).not.toContain('/internal')
  })
})

describeEachDatabase('the quota of sessions', (databases) => {
  const app = useApp(databases, { rateLimitAuthenticated: '5' })

  it('is as large as the quota of tokens, and counted apart from it', async () => {
    const sam = await app.person('sam')
    for (let n = 0; n < 6; n++) await sam.get('/me')
    const account = internalClient(await signedIn(app, sam))
    for (let n = 0; n < 5; n++) expect((await account.get('/me')).status).toBe(200)
    const { status, headers, body } = await account.get('/me')
    expect([status, body.code]).toEqual([403, 'API_RATE_LIMIT_EXCEEDED'])
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    const sol = internalClient(await signedIn(app, await app.person('sol')))
    expect((await sol.get('/me')).status).toBe(200)
  })
})
