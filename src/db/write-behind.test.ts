import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { type DeferredWrite, writeBehind } from './write-behind.ts'

const silent = pino({ level: 'silent' })

/** Keeps sums of what was noted in the table of server secrets, which any test database has. */
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

describeEachDatabase('deferred writes', (databases) => {
  it('merges what is noted under one key and writes it once', async () => {
    const db = await databases.open()
    const late = writeBehind(db, silent)
    for (const value of [1, 2, 3]) late.note(sums, 'a', value)
    late.note(sums, 'b', 7)
    await late.flush()
    await late.close()
    const rows = await db.read.selectFrom('server_secrets').selectAll().orderBy('name').execute()
    expect(rows.map(({ name, secret }) => [name, secret[0]])).toEqual([
      ['a', 6],
      ['b', 7],
    ])
  })

  it('writes what is left when it is closed', async () => {
    const db = await databases.open()
    const late = writeBehind(db, silent)
    late.note(sums, 'last', 9)
    await late.close()
    expect(await db.read.selectFrom('server_secrets').select('name').execute()).toEqual([{ name: 'last' }])
  })
})
