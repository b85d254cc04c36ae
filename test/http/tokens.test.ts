import { expect, it, vi } from 'vitest'
import { allScopes } from '../../src/contract/scopes.ts'
import { connection } from '../../src/platform/db/connection.ts'
import { insertAccessToken } from '../../src/auth/tokens/store.ts'
import { hashToken, newPersonalToken } from '../../src/lib/tokens.ts'
import { type Person, useApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { testClock } from '../support/clock.ts'
import { minute } from '../../src/lib/durations.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { rawConnection } from '../support/raw-http.ts'
import { emptyPiano } from '../support/scores.ts'

describeEachDatabase('a token', (databases) => {
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

  it('that was revoked before its first use is refused', async () => {
    const otto = await app.person('otto')
    await revoke(otto)
    expect((await otto.get('/me')).status).toBe(401)
  })

  it('that is revoked while a request body arrives does not authorize the request', async () => {
    const owen = await app.person('owen')
    const connection = rawConnection(app.url)
    const body = JSON.stringify({ ...emptyPiano(), title: 'Too late' })
    connection.write(
      `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owen.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    expect((await connection.reply())?.status).toBe(100)
    connection.write(body.slice(0, 10))
    // When this later request is answered, the first one has passed the same checks.
    expect((await owen.get('/me')).status).toBe(200)
    await revoke(owen)
    app.ctx.auth.actors.deleteGroup(owen.id)
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

  it('that is revoked by another process is refused after at most five seconds', async () => {
    const olga = await app.person('olga')
    expect((await olga.get('/me')).status).toBe(200)
    await revoke(olga)
    clock.forward(5000)
    expect((await olga.get('/me')).status).toBe(401)
  })

  it('is refused at most five seconds after it expires, and not before it expires', async () => {
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

  it('is stored only as a hash, with the time of its last use', async () => {
    const omar = await app.person('omar')
    await omar.get('/me')
    await app.ctx.writeBehind.flush()
    const row = await tokenRow(omar.token)
    expect(row?.last_used_at).toBe(clock.now())
    expect(JSON.stringify(row)).not.toContain(omar.token.slice(12))
  })

  it('with an invalid format is refused without a database query', async () => {
    const read = vi.spyOn(app.ctx.db.read[connection], 'run')
    // The job queue also queries the database.
    const tokenQueries = () => read.mock.calls.filter(([{ sql }]) => sql.includes('access_tokens')).length
    for (const token of [`partita_pat_${'a'.repeat(46)}`, 'x', `${newPersonalToken()}=`]) {
      const { status, body } = await clientOf(app.url, token).get('/me')
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    }
    expect(tokenQueries()).toBe(0)
    expect((await clientOf(app.url, newPersonalToken()).get('/me')).status).toBe(401)
    expect(tokenQueries()).toBe(1)
    read.mockRestore()
  })
})
