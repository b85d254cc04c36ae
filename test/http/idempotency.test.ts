import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { clientOf, internalClient } from '../support/client.ts'
import { testClock } from '../support/clock.ts'
import { day, minute, second } from '../../src/lib/durations.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { newClient, tokensFor } from '../support/oauth.ts'
import { makeSchool, type School } from '../support/school.ts'
import { afterPassword, withSecondFactor } from '../support/second-factors.ts'
import { emptyPiano } from '../support/scores.ts'

describeEachDatabase('Idempotency-Key', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let tess: Person
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    score = (await tess.post('/scores', { ...emptyPiano(), privacy: 'organizationPublic' })).body.id
  })

  let keys = 0
  const newKey = () => `key-${++keys}`
  const send = (person: Person, key: string, path: string, body?: object) =>
    person.post(path, body, { headers: { 'Idempotency-Key': key } })
  const create = (person: Person, key: string, title: string) =>
    send(person, key, '/scores', { ...emptyPiano(), title })
  const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const countOf = async (person: Person, title: string) => {
    const { body } = await person.get('/collections/app/scores?limit=100')
    return body.filter((one: { title: string }) => one.title === title).length
  }

  it('replays the first response without repeating the operation', async () => {
    const key = newKey()
    const [first, second] = [await create(tess, key, 'Once'), await create(tess, key, 'Once')]
    expect(first.status).toBe(200)
    expect([second.status, second.body]).toEqual([200, first.body])
    expect(second.headers.get('x-flat-score-revision')).toBe(first.headers.get('x-flat-score-revision'))
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(await countOf(tess, 'Once')).toBe(1)
  })

  it('replays a response without a body', async () => {
    const { id } = (await tess.post('/scores', emptyPiano())).body
    await tess.delete(`/scores/${id}`)
    const key = newKey()
    for (let time = 0; time < 2; time++)
      expect((await send(tess, key, `/scores/${id}/untrash`)).status).toBe(204)
  })

  it('is specific to one account, one path and one body', async () => {
    const key = newKey()
    await create(tess, key, 'Mine')
    for (const other of [
      create(tess, key, 'Other'),
      send(tess, key, `/scores/${score}/fork`, { collection: 'root' }),
    ]) {
      expect(codeOf(await other)).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
    }
    expect((await create(people.theo, key, 'Mine')).status).toBe(200)
    expect([await countOf(tess, 'Mine'), await countOf(people.theo, 'Mine')]).toEqual([1, 1])
  })

  it('runs one of several simultaneous requests with the same key', async () => {
    const key = newKey()
    const replies = await Promise.all(Array.from({ length: 5 }, () => create(tess, key, 'Together')))
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(codeOf(reply)).toEqual([409, 'IDEMPOTENT_REQUEST_IN_PROGRESS'])
    }
    expect(await countOf(tess, 'Together')).toBe(1)
  })

  it('replays an error of the request itself', async () => {
    const key = newKey()
    const createInvalid = () => send(tess, key, '/scores', { data: '<score-partwise>' })
    const refused = await createInvalid()
    expect(refused.status).toBe(400)
    const again = await createInvalid()
    expect([again.body.code, again.headers.get('idempotent-replayed')]).toEqual([refused.body.code, 'true'])
  })

  it('repeats a request that was refused because of the state of the server', async () => {
    const key = newKey()
    const share = () => send(people.theo, key, `/scores/${score}/collaborators`, { user: people.tara.id })
    expect((await share()).status).toBe(403)
    await tess.post(`/scores/${score}/collaborators`, { user: people.theo.id, aclAdmin: true })
    expect((await share()).status).toBe(200)
  })

  it('is specific to one app', async () => {
    const key = newKey()
    const client = await newClient(app)
    const { access_token } = await tokensFor(app, tess, client, { scope: 'scores' })
    const byApp = clientOf(app.url, access_token)
    await create(tess, key, 'By me')
    const reply = await byApp.post(
      '/scores',
      { ...emptyPiano(), title: 'By an app' },
      { headers: { 'Idempotency-Key': key } },
    )
    expect([reply.status, reply.body.title]).toEqual([200, 'By an app'])
  })

  it('expires after a day', async () => {
    const key = newKey()
    await create(tess, key, 'Daily')
    clock.forward(day - minute)
    await app.jobsDone()
    expect((await create(tess, key, 'Daily')).headers.get('idempotent-replayed')).toBe('true')
    clock.forward(day)
    await app.jobsDone()
    expect((await create(tess, key, 'Daily')).headers.get('idempotent-replayed')).toBeNull()
    expect(await countOf(tess, 'Daily')).toBe(2)
  })

  it.each(['', 'a key', 'x'.repeat(256)])('is refused if it is invalid: "%s"', async (key) => {
    const { status, body } = await create(tess, key, 'Never')
    expect([status, body.param]).toEqual([400, 'Idempotency-Key'])
  })

  it('is ignored for responses that contain secrets', async () => {
    const key = newKey()
    const sign = () => send(people.ada, key, `/organizations/users/${people.sam.id}/signinLink`, {})
    expect((await sign()).body.token).not.toBe((await sign()).body.token)
  })

  it('stores nothing that is derived from a password', async () => {
    const key = newKey()
    const make = (password: string) =>
      send(people.ada, key, '/organizations/users', { username: 'keyed', password, role: 'user' })
    const [first, again] = [await make('correct horse'), await make('battery staple')]
    expect([first.status, again.body]).toEqual([200, first.body])
  })

  it('stores nothing that is derived from the code of a second factor', async () => {
    const { code } = await withSecondFactor(app, people.sam)
    const browser = await afterPassword(app, people.sam)
    await browser.browser.submit(browser.page, '/auth/second-step', { code: code() })
    const [path, body, key] = ['/security/second-factor/remove', { code: code(1) }, newKey()]
    const headers = { 'Idempotency-Key': key }
    expect((await internalClient(browser.browser).post(path, body, { headers })).status).toBe(204)
    const { request } = await app.ctx.db.read
      .selectFrom('idempotent_requests')
      .select('request')
      .where('key', '=', ` ${key}`)
      .executeTakeFirstOrThrow()
    expect(request).not.toBe(hash('sha256', JSON.stringify([`/internal${path}`, body]), 'base64url'))
  })

  it('is ignored for methods other than POST', async () => {
    const headers = { 'Idempotency-Key': newKey() }
    for (const subtitle of ['One', 'Two']) {
      expect((await tess.put(`/scores/${score}`, { subtitle }, { headers })).body.subtitle).toBe(subtitle)
    }
  })

  describe('if the server stops before it responds', () => {
    /**
     * Loses the response to a request, as if the server had stopped before or after its change was committed.
     */
    async function loseResponse(key: string, title: string, when: 'before' | 'after') {
      const { transaction } = app.ctx
      let calls = 0
      app.expectLog(/The server died/)
      const spy = vi.spyOn(app.ctx, 'transaction').mockImplementation((work) => {
        calls++
        // The first transaction stores the key, the second runs the operation, and the third stores the
        // response or deletes the key.
        if (when === 'before' ? calls >= 2 : calls >= 3) throw new Error('The server died')
        return transaction(work)
      })
      await create(tess, key, title)
      spy.mockRestore()
    }

    it('and before the change is committed, runs the operation when the request is repeated', async () => {
      const key = newKey()
      await loseResponse(key, 'Before', 'before')
      expect(codeOf(await create(tess, key, 'Before'))).toEqual([409, 'IDEMPOTENT_REQUEST_IN_PROGRESS'])
      clock.forward(10 * second)
      expect((await create(tess, key, 'Before')).status).toBe(200)
      expect(await countOf(tess, 'Before')).toBe(1)
    })

    it('and only seemed to, changes nothing twice', async () => {
      const key = newKey()
      const { transaction } = app.ctx
      const held = Promise.withResolvers<void>()
      const reached = Promise.withResolvers<void>()
      let calls = 0
      const spy = vi.spyOn(app.ctx, 'transaction').mockImplementation(async (work, durability) => {
        calls++
        // The second transaction runs the operation.
        if (calls === 2) {
          reached.resolve()
          await held.promise
        }
        return transaction(work, durability)
      })
      const slow = create(tess, key, 'Slow')
      await reached.promise
      clock.forward(10 * second)
      expect((await create(tess, key, 'Slow')).status).toBe(200)
      held.resolve()
      expect(codeOf(await slow)).toEqual([409, 'IDEMPOTENT_REQUEST_IN_PROGRESS'])
      spy.mockRestore()
      expect(await countOf(tess, 'Slow')).toBe(1)
    })

    it('and after the change is committed, refuses the repeated request with the reason', async () => {
      const key = newKey()
      await loseResponse(key, 'After', 'after')
      clock.forward(10 * second)
      expect(codeOf(await create(tess, key, 'After'))).toEqual([409, 'IDEMPOTENT_ANSWER_LOST'])
      expect(await countOf(tess, 'After')).toBe(1)
    })
  })
})
