import { expect, it } from 'vitest'
import { startDatabaseProcess } from '../../../test/support/child-process.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { composerIds, insertComposer, pieceMigrations } from '../../../test/support/pieces.ts'
import { migrate } from './migrate.ts'

/**
 * The number of times the writing process is killed. For a long run: `CRASHES=100 npx vitest run
 * src/platform/db/crash.test.ts`.
 */
const crashes = Number(process.env.CRASHES ?? 3)

describeEachDatabase('processes on one database', (databases) => {
  it(`keep every acknowledged write when they are killed under 20 writers (${crashes} times)`, {
    timeout: 30_000 + crashes * 5_000,
  }, async () => {
    const location = await databases.location()
    const acknowledged: string[] = []
    await migrate(await databases.openAgain(location), pieceMigrations)
    for (let crash = 0; crash < crashes; crash++) {
      const writer = startDatabaseProcess('write', location, '1000000')
      await writer.waitForLines(200 + crash * 7)
      await writer.kill()
      acknowledged.push(...writer.lines)

      const db = await databases.openAgain(location)
      const stored = new Set(await composerIds(db.read))
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
      await db.transaction((tx) => insertComposer(tx, `after crash ${crash}`))
      await db.close()
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(crashes * 200)
  })

  it('write concurrently and see each other’s writes', async () => {
    const location = await databases.location()
    const db = await databases.openAgain(location)
    await migrate(db, pieceMigrations)
    const others = [1, 2].map(() => startDatabaseProcess('write', location, '400'))
    await Promise.all(others.map((other) => other.waitForLines(1)))
    let own = 0
    await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        for (let n = 0; n < 20; n++) {
          await db.transaction((tx) => insertComposer(tx, `own ${writer} ${n}`))
          own++
        }
      }),
    )
    expect(await Promise.all(others.map((other) => other.finished()))).toEqual([0, 0])
    expect(own).toBe(400)
    expect(others.map(({ lines }) => lines.at(-1))).toEqual(['wrote 400', 'wrote 400'])
    expect(await composerIds(db.read)).toHaveLength(1200)
  })
})
