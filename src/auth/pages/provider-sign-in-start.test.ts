import { afterAll, beforeAll, expect, it } from 'vitest'
import { internalClient } from '../../../test/support/client.ts'
import { type Person, useApp } from '../../../test/support/app.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  addProvider,
  signInWithProvider,
  type RunningProvider,
  startOpenIdProvider,
} from '../../../test/support/openid-provider.ts'
import { runCommand } from '../../../test/support/program.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { countAttempt } from '../throttling/attempt-limits.store.ts'

describeEachDatabase('the user of a provider link that is deleted', (databases) => {
  const app = useApp(databases)
  let provider: RunningProvider
  afterAll(() => provider?.close())

  it('is signed out and loses all tokens, because it may have been another person', async () => {
    provider = await startOpenIdProvider(app, ['school'])
    const organization = await app.organization('Riverside')
    await addProvider(app, { name: 'school', organization, issuer: provider.issuer })
    const sam = await app.person('sam', { organization, email: 'sam@riverside.example' })
    const sol = await app.person('sol', { organization })
    provider.people.set('subject', { email: 'sam@riverside.example', email_verified: true })
    const browser = browserAt(app.url)
    await signInWithProvider(provider, browser, 'school', 'subject')
    const status = async () => [
      (await internalClient(browser).get('/me')).status,
      (await sam.get('/me')).status,
    ]
    expect(await status()).toEqual([200, 200])
    const { dataDir, databaseUrl = '' } = app.ctx.config
    const environment = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
    const unlink = async ({ username }: Person) => {
      const { code, stdout } = await runCommand(['provider', 'unlink', username, '--json'], environment)
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    expect(await unlink(sol)).toEqual({ unlinked: 0 })
    expect((await sol.get('/me')).status).toBe(200)
    expect(await unlink(sam)).toEqual({ unlinked: 1 })
    app.ctx.auth.actors.deleteGroup(sam.id)
    expect(await status()).toEqual([401, 401])
  })
})

describeEachDatabase('starting a sign-in with a provider', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trustProxy: '127.0.0.1' }, { clock })
  let provider: RunningProvider
  beforeAll(async () => {
    provider = await startOpenIdProvider(app, ['school'])
    const organization = await app.organization('Riverside')
    await addProvider(app, { name: 'school', organization, issuer: provider.issuer })
  })
  afterAll(() => provider?.close())

  const setOut = (address: string, next = '/healthz') =>
    browserAt(app.url, { 'X-Forwarded-For': address }).open(
      `/auth/oidc/school?${new URLSearchParams({ next })}`,
    )
  const listDestinations = () =>
    app.ctx.db.read.selectFrom('provider_sign_ins').select('destination').execute()

  it('is limited to a thousand times per network in 15 minutes, and stores no more rows', async () => {
    await app.ctx.transaction(async (tx) => {
      const limits = [{ key: ['provider-sign-in', '203.0.113.7'], max: 1000 }]
      for (let n = 0; n < 999; n++) await countAttempt(app.ctx, tx, limits)
    })
    expect((await setOut('203.0.113.7')).status).toBe(303)
    const before = await listDestinations()
    const refused = await setOut('203.0.113.7')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    await expectValidHtml(refused.text)
    expect(await listDestinations()).toEqual(before)
    expect((await setOut('203.0.113.8')).status).toBe(303)
    clock.forward(15 * minute)
    expect((await setOut('203.0.113.7')).status).toBe(303)
  })

  it('stores only the path of the destination', async () => {
    const [long, longer] = [4000, 4001].map((length) => `/${'x'.repeat(length - 1)}`)
    for (const next of [long, longer]) await setOut('203.0.113.9', next)
    const destinations = (await listDestinations()).map(({ destination }) => destination)
    expect(destinations).toEqual(expect.arrayContaining([long, '/']))
    expect(destinations).not.toContain(longer)
  })
})
