import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { postgresUrl, usingDatabases } from '../../../../test/support/databases.ts'
import { composerIds, insertComposer, pieceMigrations } from '../../../../test/support/pieces.ts'
import type { Queries, Transaction } from '../database.ts'
import { openDatabase } from '../open-database.ts'

const unavailable = { code: 'DATABASE_UNAVAILABLE' }

const raise = (tx: Queries, state: string) =>
  sql`do ${sql.raw(`$$ begin raise exception 'simulated' using errcode = '${state}'; end $$`)}`.execute(tx)

const backendOf = async (queries: Queries) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries)
  return rows[0]?.pid ?? 0
}

describe.skipIf(!postgresUrl)(`PostgreSQL${postgresUrl ? '' : ' SKIPPED: there is no server'}`, () => {
  const databases = usingDatabases('postgres')

  async function terminate(pid: number) {
    const client = new pg.Client(postgresUrl)
    await client.connect()
    await client.query('select pg_terminate_backend($1)', [pid])
    // The server removes a connection from the list only after it is closed.
    while ((await client.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount) {}
    await client.end()
  }

  it.each(['40001', '40P01'])('retries a transaction that failed with %s', async (state) => {
    const db = await databases.open(pieceMigrations)
    let runs = 0
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      if (++runs < 4) await raise(tx, state)
    })
    expect(runs).toBe(4)
    expect(await composerIds(db.read)).toEqual(['bach'])
  })

  it('retries a transaction that lost a conflict even if its callback threw another error', async () => {
    const db = await databases.open(pieceMigrations)
    let runs = 0
    await db.transaction(async (tx) => {
      if (++runs < 3) {
        await raise(tx, '40001').catch(() => {
          throw new Error('misread')
        })
      }
      await insertComposer(tx, 'bach')
    })
    expect(await composerIds(db.read)).toEqual(['bach'])
  })

  it('answers 503 to a transaction that keeps losing conflicts', async () => {
    const db = await databases.open(pieceMigrations)
    let runs = 0
    const conflicting = db.transaction((tx) => {
      runs++
      return raise(tx, '40001')
    })
    await expect(conflicting).rejects.toMatchObject(unavailable)
    expect(runs).toBeGreaterThan(5)
    await db.transaction((tx) => insertComposer(tx, 'bach'))
  })

  it.each(['53100', '53300', '57014', '57P01', '55P03', '58030'])(
    'answers 503 if the server reports %s',
    async (state) => {
      const db = await databases.open(pieceMigrations)
      const write = db.transaction(async (tx) => {
        await insertComposer(tx, 'bach')
        await raise(tx, state)
      })
      await expect(write).rejects.toMatchObject(unavailable)
      expect(await composerIds(db.read)).toEqual([])
    },
  )

  it('answers 503 if the connection of a transaction is killed, rolls it back, and recovers', async () => {
    const db = await databases.open(pieceMigrations)
    const killed = db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await terminate(await backendOf(tx))
      await insertComposer(tx, 'buxtehude')
    })
    await expect(killed).rejects.toMatchObject(unavailable)
    const killedBeforeCommit = db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await terminate(await backendOf(tx))
    })
    await expect(killedBeforeCommit).rejects.toMatchObject(unavailable)
    await db.transaction((tx) => insertComposer(tx, 'corelli'))
    expect(await composerIds(db.read)).toEqual(['corelli'])
  })

  it('answers 503 if the server closes the connection of a callback that never ends', async () => {
    const db = await databases.open(pieceMigrations)
    const stuck = db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await terminate(await backendOf(tx))
      await new Promise(() => {})
    })
    await expect(stuck).rejects.toMatchObject(unavailable)
    expect(await composerIds(db.read)).toEqual([])
  })

  it('answers 503 to a read whose connection is killed, and recovers', async () => {
    const db = await databases.open(pieceMigrations)
    const pid = await backendOf(db.read)
    const slow = Array.from({ length: 8 }, () =>
      sql`select pg_sleep(30)`.execute(db.read).catch((error) => error),
    )
    await Promise.all([terminate(pid), ...(await otherReaders(pid)).map(terminate)])
    for (const error of await Promise.all(slow)) expect(error).toMatchObject(unavailable)
    expect(await composerIds(db.read)).toEqual([])
  })

  it('reads and writes after the server has closed its idle connections', async () => {
    const db = await databases.open(pieceMigrations)
    const reading = await backendOf(db.read)
    const writing = await db.transaction(backendOf)
    await Promise.all([terminate(reading), terminate(writing)])
    expect(await composerIds(db.read)).toEqual([])
    await db.transaction((tx) => insertComposer(tx, 'bach'))
    expect(await backendOf(db.read)).not.toBe(reading)
  })

  it('answers 503 to every request while the server is down, and recovers', async () => {
    const db = await openDatabase({ url: 'postgres://postgres@127.0.0.1:1/test', path: '' })
    await expect(db.ping()).rejects.toMatchObject(unavailable)
    await expect(composerIds(db.read)).rejects.toMatchObject(unavailable)
    await expect(db.transaction((tx) => insertComposer(tx, 'bach'))).rejects.toMatchObject(unavailable)
    await expect(db.snapshot(composerIds)).rejects.toMatchObject(unavailable)
    await expect(db.exclusive(async () => {})).rejects.toMatchObject(unavailable)
    await db.close()
  })

  it('answers 503 if the server accepts the connection and closes it', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const db = await openDatabase({ url: `postgres://postgres@127.0.0.1:${port}/test`, path: '' })
    await expect(db.ping()).rejects.toMatchObject(unavailable)
    await expect(db.transaction((tx) => insertComposer(tx, 'bach'))).rejects.toMatchObject(unavailable)
    await db.close()
    server.close()
  })

  it('does not change how other code in this process parses integers', async () => {
    const db = await databases.open(pieceMigrations)
    await db.ping()
    const client = new pg.Client(postgresUrl)
    await client.connect()
    expect((await client.query('select 1::int8 as one')).rows).toEqual([{ one: '1' }])
    await client.end()
  })

  it('sets its application name and the timeouts of statements and idle transactions', async () => {
    const db = await databases.open(pieceMigrations)
    const setting = async (queries: Queries, name: string) =>
      (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(queries)).rows[0]?.value
    expect(await setting(db.read, 'application_name')).toBe('partita')
    expect(await setting(db.read, 'statement_timeout')).toBe('30s')
    expect(await db.transaction((tx) => setting(tx, 'transaction_isolation'))).toBe('serializable')
    expect(await db.transaction((tx) => setting(tx, 'idle_in_transaction_session_timeout'))).toBe('10s')
    expect(await db.exclusive((tx) => setting(tx as unknown as Transaction, 'statement_timeout'))).toBe('0')
  })

  async function otherReaders(known: number): Promise<number[]> {
    const client = new pg.Client(postgresUrl)
    await client.connect()
    const text = `select pid from pg_stat_activity where query = 'select pg_sleep(30)' and pid <> $1`
    let pids: number[] = []
    while (pids.length < 3) pids = (await client.query(text, [known])).rows.map(({ pid }) => pid)
    await client.end()
    return pids
  }
})
