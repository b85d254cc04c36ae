import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { onTwoServers } from '../../../test/support/two-servers.ts'
import { day, minute } from '../../lib/durations.ts'
import { type AttemptLimit, countAttempt } from './attempt-limits.store.ts'

const cookie = 'partita_session'

describeEachDatabase('a sign-in with a password', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trustProxy: '127.0.0.1' }, { clock })
  let otto: Person
  beforeAll(async () => {
    otto = await app.person('otto')
  })

  const tryAs = (username: string, word: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/auth/signin`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ username, password: word, next: '/healthz' }),
      headers,
    })
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  /** Counts as many failures as the limit allows. */
  const useUp = (limit: AttemptLimit) =>
    app.ctx.transaction(async (tx) => {
      for (let n = 0; n < limit.max; n++) await countAttempt(app.ctx, tx, [limit])
    })
  const slowFailures = (site: string) => ({ key: ['sign-in', 'slow', site], max: 5, windowMs: minute })

  describe('is refused for the rest of 15 minutes', () => {
    it('after ten failures for an account from a network, but not for other accounts', async () => {
      const eve = await app.person('eve')
      const attacker = from('203.0.113.7')
      for (let n = 0; n < 10; n++) expect((await tryAs('eve', `guess ${n}`, attacker)).status).toBe(401)
      const refused = await tryAs('Eve', password, attacker)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
      expect(await refused.text()).toContain('Try again in 15 min.')
      expect((await tryAs('otto', password, attacker)).status).toBe(303)
      expect((await tryAs('eve', password, from('203.0.113.8'))).status).toBe(303)
      clock.forward(15 * minute)
      expect((await tryAs('eve', password, attacker)).status).toBe(303)
      expect((await signedIn(app, eve)).cookies.has(cookie)).toBe(true)
    })

    it('counting a username and the address of an account together', async () => {
      const edna = await app.person('edna', { email: 'edna@example.com' })
      const attacker = from('203.0.113.9')
      for (let n = 0; n < 10; n++) {
        const name = n % 2 ? 'Edna' : 'edna@example.com'
        expect((await tryAs(name, `guess ${n}`, attacker)).status).toBe(401)
      }
      for (const name of [edna.username, 'EDNA@example.com'])
        expect((await tryAs(name, password, attacker)).status).toBe(429)
    })

    it('counting failures and not successes', async () => {
      const school = from('203.0.113.20')
      for (let n = 0; n < 12; n++) expect((await tryAs('otto', password, school)).status).toBe(303)
    })

    it('after sixty successes, with a separate counter for trusted browsers', async () => {
      const sam = await app.person('sam')
      const known = (await signedIn(app, sam)).cookies.get('partita_known')
      const tokensFor = (key: string[]) => useUp({ key, max: 58 })
      await tokensFor(['sign-in', 'right', sam.id])
      expect((await tryAs('sam', password)).status).toBe(303)
      for (const address of ['203.0.113.50', '203.0.113.51']) {
        expect((await tryAs('sam', password, from(address))).status).toBe(429)
      }
      const trusted = { Cookie: `partita_known=${known}` }
      await tokensFor(['sign-in', 'right', 'known', sam.id])
      for (let n = 0; n < 2; n++) expect((await tryAs('sam', password, trusted)).status).toBe(303)
      expect((await tryAs('sam', password, trusted)).status).toBe(429)
      clock.forward(15 * minute)
      for (const headers of [undefined, trusted])
        expect((await tryAs('sam', password, headers)).status).toBe(303)
    })

    it('counting concurrent attempts like sequential ones', async () => {
      const attacker = from('203.0.113.30')
      const guess = async (n: number) => (await tryAs('otto', `guess ${n}`, attacker)).status
      const statuses = await Promise.all(Array.from({ length: 12 }, (_, n) => guess(n)))
      expect(statuses.toSorted()).toEqual([...Array(10).fill(401), 429, 429])
    })

    it('after a hundred failures for an account from everywhere', async () => {
      const names = ['vera', 'unknown']
      await app.person('vera')
      for (const key of names) await useUp({ key: ['sign-in', 'to', key], max: 99 })
      for (const [index, name] of names.entries()) {
        expect((await tryAs(name, 'wrong', from(`198.51.100.${index}`))).status).toBe(401)
        expect((await tryAs(name, password, from(`198.51.100.1${index}`))).status).toBe(429)
      }
      clock.forward(15 * minute)
      expect((await tryAs('vera', password)).status).toBe(303)
    })

    it('except in a browser that has signed in to the account before', async () => {
      const iris = await app.person('iris', { email: 'iris@example.com' })
      const rosa = await app.person('rosa')
      const untrusted = from('203.0.113.60')
      const known = (await signedIn(app, iris)).cookies.get('partita_known')
      const trusted = { ...untrusted, Cookie: `partita_known=${known}` }
      for (const { id } of [iris, rosa]) await useUp({ key: ['sign-in', id, '203.0.113.60'], max: 10 })
      await useUp({ key: ['sign-in', '203.0.113.60'], max: 300 })
      expect((await tryAs('iris', password, untrusted)).status).toBe(429)
      expect((await tryAs('iris', password, trusted)).status).toBe(303)
      expect((await tryAs('iris@example.com', password, trusted)).status).toBe(303)
      // The token is valid for that account only, and has the same number of attempts.
      expect((await tryAs('rosa', password, trusted)).status).toBe(429)
      for (let n = 0; n < 10; n++) expect((await tryAs('iris', `guess ${n}`, trusted)).status).toBe(401)
      expect((await tryAs('iris', password, { ...trusted, ...from('203.0.113.61') })).status).toBe(429)
      expect((await tryAs('iris', password, from('203.0.113.61'))).status).toBe(303)
    })

    it('and accepts only signed trusted-device tokens, of at most twenty accounts', async () => {
      const browser = await signedIn(app, otto)
      const cookieLine = async (value: string) => {
        const response = await tryAs('otto', password, { Cookie: `partita_known=${value}` })
        return response.headers.getSetCookie().find((line) => line.startsWith('partita_known=')) ?? ''
      }
      const own = browser.cookies.get('partita_known') ?? ''
      expect(own).toMatch(/^[\w-]{44}$/)
      const line = await cookieLine(own)
      expect(line).toMatch(/^partita_known=[\w-]{44}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
      expect(line).not.toContain(own)
      const many = await cookieLine(Array.from({ length: 50 }, () => 'x'.repeat(44)).join('.'))
      expect(/=([^;]*)/.exec(many)?.[1]?.split('.')).toHaveLength(20)
    })
  })

  describe('from an address that has used up its failures', () => {
    const ofNetwork = (network: string) => ({ key: ['sign-in', network], max: 300 })
    const school = from('192.0.2.1')

    it('still works for an account that signed in from there within 30 days, in any browser', async () => {
      await app.person('lena')
      expect((await tryAs('lena', password, school)).status).toBe(303)
      clock.forward(29 * day)
      await app.jobsDone()
      await useUp(ofNetwork('192.0.2.1'))
      expect((await tryAs('lena', password, school)).status).toBe(303)
      // That sign-in counts as well.
      clock.forward(29 * day)
      await app.jobsDone()
      await useUp(ofNetwork('192.0.2.1'))
      await useUp(slowFailures('192.0.2.1'))
      expect((await tryAs('lena', password, school)).status).toBe(303)
      clock.forward(31 * day)
      await useUp(ofNetwork('192.0.2.1'))
      await useUp(slowFailures('192.0.2.1'))
      expect((await tryAs('lena', password, school)).status).toBe(429)
    })

    it('has five failures a minute for all other names together, and does not count successes', async () => {
      await app.person('mona')
      const hall = from('192.0.2.2')
      await useUp(ofNetwork('192.0.2.2'))
      for (let n = 0; n < 6; n++) expect((await tryAs('mona', password, from('192.0.2.3'))).status).toBe(303)
      for (const name of ['x1', 'x2', 'mona', 'x3', 'x4'])
        expect((await tryAs(name, 'wrong', hall)).status).toBe(401)
      const refused = await tryAs('mona', password, hall)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      clock.forward(minute)
      expect((await tryAs('mona', password, hall)).status).toBe(303)
    })

    it('has 20 failures a day for an account that signed in from there, and then the slow rate', async () => {
      const paula = await app.person('paula')
      const lab = from('192.0.2.4')
      expect((await tryAs('paula', password, lab)).status).toBe(303)
      await useUp(ofNetwork('192.0.2.4'))
      await useUp(slowFailures('192.0.2.4'))
      await useUp({ key: ['sign-in', 'recent', paula.id, '192.0.2.4'], max: 19, windowMs: day })
      expect((await tryAs('paula', password, lab)).status).toBe(303)
      expect((await tryAs('paula', 'wrong', lab)).status).toBe(401)
      expect((await tryAs('paula', password, lab)).status).toBe(429)
      clock.forward(minute)
      expect((await tryAs('paula', password, lab)).status).toBe(303)
      clock.forward(15 * minute)
    })

    it('counts IPv6 by the first 64 bits', async () => {
      const networkA = from('2001:db8:1:2::7')
      await useUp(ofNetwork('2001:db8:1:2::/64'))
      await useUp(slowFailures('2001:db8:1::/48'))
      expect((await tryAs('otto', password, networkA)).status).toBe(429)
      expect((await tryAs('otto', password, from('2001:db8:1:2:ffff::1'))).status).toBe(429)
      expect((await tryAs('otto', password, from('2001:db8:1:3::7'))).status).toBe(303)
      clock.forward(15 * minute)
      await app.jobsDone()
    })

    it('counts 1,000 failures of an IPv6 site, however many networks it has', async () => {
      await app.person('quinn')
      await useUp({ key: ['sign-in', 'site', '2001:db8:9::/48'], max: 999 })
      expect((await tryAs('quinn', 'wrong', from('2001:db8:9:1::7'))).status).toBe(401)
      await useUp(slowFailures('2001:db8:9::/48'))
      expect((await tryAs('quinn', password, from('2001:db8:9:2::7'))).status).toBe(429)
      expect((await tryAs('quinn', password, from('2001:db8:a:2::7'))).status).toBe(303)
    })
  })
})

describeEachDatabase('failed sign-ins', (databases) => {
  it('are counted across all servers', async () => {
    await onTwoServers(databases, async ({ app, vera, otherUrl }) => {
      const tryAt = (url: string, word: string) =>
        fetch(`${url}/auth/signin`, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ username: vera.username, password: word }),
        })
      for (let n = 0; n < 10; n++) expect((await tryAt(n % 2 ? app.url : otherUrl, 'wrong')).status).toBe(401)
      for (const url of [app.url, otherUrl]) expect((await tryAt(url, password)).status).toBe(429)
    })
  })
})
