import { expect, it, vi } from 'vitest'
import { allScopes } from '../../src/contract/scopes.ts'
import { connection } from '../../src/db/connection.ts'
import { insertAccessToken } from '../../src/features/access-tokens/store.ts'
import { hashToken, newPersonalToken } from '../../src/lib/tokens.ts'
import { type Person, useApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { minute, testClock } from '../support/clock.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { rawConnection } from '../support/raw-http.ts'
import { emptyPiano } from '../support/scores.ts'

describeEachDatabase('tokens', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  const tokenRow = async (token: string) => {
    const [row] = await app.ctx.db.read
      .selectFrom('access_tokens')
      .selectAll()
      .where('hash', '=', hashToken(token))
      .execute()
    return row
  }
  const revoke = (person: Person) =>
    app.ctx.transaction(async (tx) => {
      await tx.deleteFrom('access_tokens').where('hash', '=', hashToken(person.token)).execute()
    })

  it('that was revoked before it was used is refused', async () => {
    const otto = await app.person('otto')
    await revoke(otto)
    expect((await otto.get('/me')).status).toBe(401)
  })

  it('that ends while the body of a request is on its way does not finish it', async () => {
    const owen = await app.person('owen')
    const connection = rawConnection(app.url)
    const body = JSON.stringify({ ...emptyPiano(), title: 'Too late' })
    connection.write(
      `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owen.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    expect((await connection.reply())?.status).toBe(100)
    connection.write(body.slice(0, 10))
    // What comes later has gone through the same checks.
    expect((await owen.get('/me')).status).toBe(200)
    await revoke(owen)
    app.ctx.actors.forget()
    connection.write(body.slice(10))
    expect(await connection.reply()).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    const { count } = await app.ctx.db.read
      .selectFrom('scores')
      .where('owner_id', '=', owen.id)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(0)
    connection.socket.destroy()
  })

  it('that is revoked by another process is refused after five seconds at the latest', async () => {
    const olga = await app.person('olga')
    expect((await olga.get('/me')).status).toBe(200)
    await revoke(olga)
    clock.forward(5000)
    expect((await olga.get('/me')).status).toBe(401)
  })

  it('is refused five seconds after its time at the latest, and not before it is over', async () => {
    const oskar = await app.person('oskar')
    const token = newPersonalToken()
    await app.ctx.transaction((tx) =>
      insertAccessToken(tx, {
        id: app.ctx.newId(),
        user_id: oskar.id,
        app_id: null,
        name: 'Short',
        hash: hashToken(token),
        scopes: JSON.stringify(allScopes),
        created_at: clock.now(),
        expires_at: clock.now() + minute,
        last_used_at: null,
        created_by: null,
        authorization_id: null,
      }),
    )
    clock.forward(minute - 1000)
    expect((await clientOf(app.url, token).get('/me')).status).toBe(200)
    clock.forward(5000)
    expect((await clientOf(app.url, token).get('/me')).status).toBe(401)
  })

  it('is stored as a hash alone, with when it was last used', async () => {
    const omar = await app.person('omar')
    await omar.get('/me')
    await app.ctx.writeBehind.flush()
    const row = await tokenRow(omar.token)
    expect(row?.last_used_at).toBe(clock.now())
    expect(JSON.stringify(row)).not.toContain(omar.token.slice(12))
  })

  it('that could not be one of ours is refused without a look into the database', async () => {
    const read = vi.spyOn(app.ctx.db.read[connection], 'run')
    // The queue of jobs is looked at as well.
    const looks = () => read.mock.calls.filter(([{ sql }]) => sql.includes('access_tokens')).length
    for (const token of [`partita_pat_${'a'.repeat(46)}`, 'x', `${newPersonalToken()}=`]) {
      const { status, body } = await clientOf(app.url, token).get('/me')
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    }
    expect(looks()).toBe(0)
    expect((await clientOf(app.url, newPersonalToken()).get('/me')).status).toBe(401)
    expect(looks()).toBe(1)
    read.mockRestore()
  })
})
