import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { testClock } from '../../../test/support/clock.ts'
import { createChallenge } from '../passkeys/challenges.store.ts'
import { day, hour } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { hashToken } from '../../lib/tokens.ts'
import { deleteSession, findSession } from './store.ts'
import { revokeAllSignIns } from './revocation.ts'

describeEachDatabase('sessions, sign-in links and delegated tokens', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const pathOf = (resource: string) => `/organizations/users/${people.sam.id}/${resource}`
  /** Creates one of each for Sam and returns the session. */
  async function makeAll(): Promise<string> {
    const { url } = (await people.ada.post(pathOf('signinLink'), {})).body
    const response = await fetch(url, { method: 'POST', redirect: 'manual' })
    await people.ada.post(pathOf('signinLink'), {})
    await people.ada.post(pathOf('accessToken'), { scopes: ['scores'] })
    return /=(\w+);/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? ''
  }
  async function countAll() {
    const { read } = app.ctx.db
    const [links, sessions, tokens] = await Promise.all([
      read.selectFrom('sign_in_links').select('hash').execute(),
      read.selectFrom('sessions').select('hash').execute(),
      read.selectFrom('access_tokens').select('id').where('created_by', 'is not', null).execute(),
    ])
    return { links: links.length, sessions: sessions.length, tokens: tokens.length }
  }

  it('are deleted after they have expired', async () => {
    await makeAll()
    await app.jobsDone()
    expect(await countAll()).toEqual({ links: 1, sessions: 1, tokens: 1 })
    clock.forward(day)
    await app.jobsDone()
    expect(await countAll()).toEqual({ links: 0, sessions: 1, tokens: 0 })
    clock.forward(13 * day)
    await app.jobsDone()
    expect(await countAll()).toEqual({ links: 0, sessions: 0, tokens: 0 })
    expect((await people.sam.get('/me')).status).toBe(200)
  })

  it('and challenges of passkeys are deleted after they have expired', async () => {
    const use = { purpose: 'sign-in', holder: 'cookie' } as const
    await app.ctx.transaction((tx) => createChallenge(app.ctx, tx, use))
    const count = async () =>
      (await app.ctx.db.read.selectFrom('passkey_challenges').select('hash').execute()).length
    expect(await count()).toBe(1)
    clock.forward(hour)
    await app.jobsDone()
    expect(await count()).toBe(0)
  })

  it('a session can be found until it is deleted', async () => {
    const hash = hashToken(await makeAll())
    const find = () => findSession(app.ctx.db.read, { hash, now: clock.now() })
    expect((await find())?.user_id).toBe(people.sam.id)
    await app.ctx.transaction((tx) => deleteSession(tx, hash))
    expect(await find()).toBeUndefined()
  })

  it('are revoked when the user or the creator is removed', async () => {
    for (const { id } of [people.sam, people.ada]) {
      await makeAll()
      await app.ctx.transaction((tx) => revokeAllSignIns(app.ctx, tx, id))
      expect(await countAll()).toEqual({ links: 0, sessions: 0, tokens: 0 })
    }
  })
})
