import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { logLines } from '../../../test/support/log-lines.ts'
import { failingDatabase } from '../../../test/support/unsteady-database.ts'
import { Failure } from '../../errors.ts'
import type { Database } from './database.ts'
import { type DeferredWrite, writeBehind } from './write-behind.ts'

const silent = pino({ level: 'silent' })

/** Stores the sum of the noted values in the table of server secrets, which every test database has. */
const sums: DeferredWrite = {
  name: 'sums',
  merge: (earlier, later) => earlier + later,
  async flush(tx, notes) {
    for (const [name, value] of notes) {
      await tx
        .insertInto('server_secrets')
        .values({ name, secret: Buffer.from([value]) })
        .execute()
    }
  },
}

async function writtenCounts(db: Database) {
  const rows = await db.read.selectFrom('server_secrets').selectAll().orderBy('name').execute()
  return rows.map(({ name, secret }) => [name, secret[0]])
}

describeEachDatabase('deferred writes', (databases) => {
  it('merges the notes of one key and writes them once', async () => {
    const db = await databases.open()
    const late = writeBehind(db, silent)
    for (const value of [1, 2, 3]) late.note(sums, 'a', value)
    late.note(sums, 'b', 7)
    await late.flush()
    await late.close()
    expect(await writtenCounts(db)).toEqual([
      ['a', 6],
      ['b', 7],
    ])
  })

  it('writes the remaining notes on close', async () => {
    const db = await databases.open()
    const late = writeBehind(db, silent)
    late.note(sums, 'last', 9)
    await late.close()
    expect(await db.read.selectFrom('server_secrets').select('name').execute()).toEqual([{ name: 'last' }])
  })

  describe('while the database is unavailable', () => {
    const unavailable = new Failure('DATABASE_UNAVAILABLE')

    it('are kept, merged with new notes, and written when the database is back', async () => {
      const db = failingDatabase(await databases.open())
      const late = writeBehind(db, silent)
      db.fail(unavailable)
      late.note(sums, 'a', 1)
      late.note(sums, 'b', 7)
      await late.flush()
      late.note(sums, 'a', 2)
      await late.flush()
      db.work()
      await late.close()
      expect(await writtenCounts(db)).toEqual([
        ['a', 3],
        ['b', 7],
      ])
    })

    it('are dropped if they fail for another reason, so that they are not retried forever', async () => {
      const db = failingDatabase(await databases.open())
      const late = writeBehind(db, silent)
      db.fail(new Error('a mistake of ours'))
      late.note(sums, 'a', 1)
      await late.flush()
      db.work()
      late.note(sums, 'b', 7)
      await late.close()
      expect(await writtenCounts(db)).toEqual([['b', 7]])
    })

    it('are kept up to a limit, and the number of dropped notes is logged', async () => {
      const db = failingDatabase(await databases.open())
      const log = logLines()
      const late = writeBehind(db, pino({}, log))
      let flushed = 0
      const counted: DeferredWrite = {
        ...sums,
        async flush(_tx, notes) {
          flushed += notes.size
        },
      }
      db.fail(unavailable)
      for (let n = 0; n < 10_200; n++) late.note(counted, `${n}`, 1)
      await late.flush()
      db.work()
      await late.close()
      const dropped = log.take().reduce((sum, { notes }) => sum + notes, 0)
      expect(dropped).toBeGreaterThan(0)
      expect(flushed).toBe(10_200 - dropped)
    })

    it('are dropped and logged if the database is still unavailable on close', async () => {
      const db = failingDatabase(await databases.open())
      const log = logLines()
      const late = writeBehind(db, pino({}, log))
      db.fail(unavailable)
      late.note(sums, 'a', 1)
      await late.close()
      expect(log.take()).toMatchObject([{ level: 50, write: 'sums', notes: 1 }])
    })
  })
})
