import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresUrl } from '../../../../test/support/databases.ts'
import { connectionConfig, runOfNamedStatement, runOn } from './postgres-connections.ts'
import { type PreparedRun, sendPrepared } from './postgres-prepared.ts'

describe.skipIf(!postgresUrl)(`a prepared statement${postgresUrl ? '' : ' SKIPPED: no server'}`, () => {
  let client: pg.Client
  let descriptions = 0

  beforeAll(async () => {
    client = new pg.Client(connectionConfig(postgresUrl ?? ''))
    await client.connect()
    client.connection.on('rowDescription', () => descriptions++)
  })
  afterAll(() => client.end())

  const values = ['ü "quoted" \\ \n', -3, 2 ** 53 - 1, 0.1, null, new Uint8Array([0, 255, 1])]
  const everyType = {
    name: 'every-type',
    sql: `select $1::text as text, $2::int as "in, t", $3::bigint as big, $4::double precision as fraction,
      $5::text as missing, $6::bytea as bytes, count(*) from generate_series(1, 2)`,
  }

  it('returns the same values when it runs again, and is described once', async () => {
    descriptions = 0
    const first = await runOn(client, everyType, values)
    const again = await runOn(client, everyType, values)
    const [text, int, big, fraction, missing, bytes] = values
    const row = {
      text,
      'in, t': int,
      big,
      fraction,
      missing,
      bytes: Buffer.from(bytes as Uint8Array),
      count: 2,
    }
    expect([first.rows, again.rows]).toEqual([[row], [row]])
    expect(descriptions).toBe(1)
  })

  it('can run many times at once', async () => {
    const numbered = { name: 'numbered', sql: 'select $1::int as number where $1::int % 2 = 0' }
    const results = await Promise.all([0, 1, 2, 3, 4].map((number) => runOn(client, numbered, [number])))
    expect(results.map(({ rows }) => rows)).toEqual([
      [{ number: 0 }],
      [],
      [{ number: 2 }],
      [],
      [{ number: 4 }],
    ])
  })

  it('reports the number of written rows, also when it runs again', async () => {
    await client.query('set session characteristics as transaction read write')
    await client.query('create temporary table numbers (number int)')
    const add = { name: 'add', sql: 'insert into numbers select generate_series(1, $1::int)' }
    const affected = [
      await runOn(client, add, [3]),
      await runOn(client, add, [0]),
      await runOn(client, add, [2]),
    ]
    expect(affected).toEqual([3, 0, 2].map((count) => ({ rows: [], affected: count })))
  })

  it('reports the error of the server and can run again', async () => {
    const divide = { name: 'divide', sql: 'select 6 / $1::int as part' }
    const outcomes = await Promise.allSettled([3, 0, 2].map((by) => runOn(client, divide, [by])))
    expect(outcomes).toMatchObject([
      { value: { rows: [{ part: 2 }] } },
      { reason: { code: '22012' } },
      { value: { rows: [{ part: 3 }] } },
    ])
    expect(await runOn(client, divide, [1])).toEqual({ rows: [{ part: 6 }], affected: 1 })
  })

  describe('several runs in one batch', () => {
    const quotient = { name: 'quotient', sql: 'select 6 / $1::int as part' }
    const send = (divisors: readonly number[]) => {
      const runs = divisors.map((divisor) => runOfNamedStatement(quotient, [divisor]) as PreparedRun)
      sendPrepared(client, runs)
      return Promise.allSettled(runs.map(({ result }) => result))
    }
    const part = (value: number) => ({ value: { rows: [{ part: value }] } })
    beforeAll(() => send([1]))

    it('get one Sync', async () => {
      let syncs = 0
      const count = () => syncs++
      client.connection.on('readyForQuery', count)
      expect(await send([1, 2, 3])).toMatchObject([6, 3, 2].map(part))
      client.connection.off('readyForQuery', count)
      expect(syncs).toBe(1)
    })

    it('have their results if one before or after them fails', async () => {
      const error = { reason: { code: '22012' } }
      expect(await send([1, 0, 2, 0, 3])).toMatchObject([part(6), error, part(3), error, part(2)])
    })

    it('have their results if one before them is new to the connection and fails', async () => {
      const fresh = runOfNamedStatement(
        { name: 'fresh', sql: 'select 1 / $1::int as part' },
        [0],
      ) as PreparedRun
      const known = runOfNamedStatement(quotient, [2]) as PreparedRun
      sendPrepared(client, [fresh, known])
      await expect(fresh.result).rejects.toMatchObject({ code: '22012' })
      expect((await known.result).rows).toEqual([{ part: 3 }])
    })
  })

  it('fails after a migration changed the columns of the result', async () => {
    await client.query('create temporary table pieces (id int)')
    const all = { name: 'all', sql: 'select * from pieces' }
    await runOn(client, all, [])
    await runOn(client, all, [])
    await client.query('alter table pieces add column title text')
    await expect(runOn(client, all, [])).rejects.toMatchObject({
      code: '0A000',
      routine: 'RevalidateCachedQuery',
    })
  })
})
