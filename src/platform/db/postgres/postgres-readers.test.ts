import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { postgresUrl } from '../../../../test/support/databases.ts'
import { connectionConfig } from './postgres-connections.ts'
import { openReaders } from './postgres-readers.ts'

describe.skipIf(!postgresUrl)(`readers${postgresUrl ? '' : ' SKIPPED: no server'}`, () => {
  const url = postgresUrl ?? ''
  const fast = { name: 'fast', sql: 'select 1 as one' }
  const slow = { name: 'slow', sql: 'select pg_advisory_xact_lock($1::bigint)' }
  const lock = 5_310_984_417

  it('with batches of one read answer it before a slow one of the same iteration', async () => {
    const readers = openReaders(url, 1, 1)
    const holder = new pg.Client(connectionConfig(url))
    await holder.connect()
    try {
      await readers.run(fast, [])
      await readers.run(slow, [lock])
      await holder.query('select pg_advisory_lock($1)', [lock])
      const [first, second] = [readers.run(fast, []), readers.run(slow, [lock])]
      expect((await first).rows).toEqual([{ one: 1 }])
      await holder.query('select pg_advisory_unlock($1)', [lock])
      expect((await second).rows).toHaveLength(1)
    } finally {
      await holder.end()
      await readers.close()
    }
  })
})
