import { describe, expect, it } from 'vitest'
import { postgresUrl, usingDatabases } from '../../../../test/support/databases.ts'
import {
  composerIds,
  insertComposer,
  insertPiece,
  onPieces,
  pieceMigrations,
} from '../../../../test/support/pieces.ts'
import type { Database, Transaction } from '../database.ts'
import { migrate } from '../migrate.ts'

describe.skipIf(!postgresUrl)(
  `Turns of processes on PostgreSQL${postgresUrl ? '' : ' SKIPPED: there is no server'}`,
  () => {
    const databases = usingDatabases('postgres')

    /** Opens two databases on one schema, as of two processes, with a piece of 0 bars. */
    async function twoProcesses(): Promise<[Database, Database]> {
      const location = await databases.location()
      const first = await databases.openAgain(location)
      await migrate(first, pieceMigrations)
      await first.transaction(async (tx) => {
        await insertComposer(tx, 'bach')
        await insertPiece(tx, 'air', { bars: 0 })
      })
      return [first, await databases.openAgain(location)]
    }

    async function addBar(tx: Transaction): Promise<void> {
      const { bars } = await onPieces(tx).selectFrom('pieces').select('bars').executeTakeFirstOrThrow()
      await onPieces(tx)
        .updateTable('pieces')
        .set({ bars: bars + 1 })
        .execute()
    }

    it('retries no transaction when two processes change the same row', async () => {
      const processes = await twoProcesses()
      let runs = 0
      const change = async (db: Database) => {
        for (let n = 0; n < 20; n++)
          await db.transaction(async (tx) => {
            runs++
            await addBar(tx)
          })
      }
      await Promise.all(processes.flatMap((db) => Array.from({ length: 5 }, () => change(db))))
      expect(await onPieces(processes[0].read).selectFrom('pieces').select('bars').execute()).toEqual([
        { bars: 200 },
      ])
      expect(runs).toBe(200)
    })

    it('writes while another process holds a transaction open', async () => {
      const [slow, quick] = await twoProcesses()
      const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const unfinished = slow.transaction(async (tx) => {
        await insertComposer(tx, 'slow')
        started.resolve()
        await finish.promise
      })
      await started.promise
      for (const id of ['a', 'b', 'c']) await quick.transaction((tx) => insertComposer(tx, id))
      expect(await composerIds(quick.read)).toEqual(['a', 'b', 'bach', 'c'])
      finish.resolve()
      await unfinished
      await quick.transaction((tx) => insertComposer(tx, 'd'))
      expect(await composerIds(quick.read)).toEqual(['a', 'b', 'bach', 'c', 'd', 'slow'])
    })
  },
)
