import { beforeAll, describe, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { analyze, expectSameCost, planOf } from '../../../../test/support/query-plans.ts'
import { give } from '../../../../test/support/sharing.ts'
import { encodeCursor } from '../../../lib/cursors.ts'
import type { Actor } from '../../../actor.ts'
import { listCollectionsOf } from './lists.store.ts'
import { newCollection as collectionRow } from './policy.ts'
import { insertCollection } from './store.ts'

describeEachDatabase('page 400 of the collections', (databases) => {
  const app = useApp(databases)
  let sam: Person

  beforeAll(async () => {
    const tess = await app.person('tess')
    sam = await app.person('sam')
    const rows = Array.from({ length: 10_050 }, (_, n) => ({
      ...collectionRow(app.ctx, {
        user_id: sam.id,
        type: 'regular',
        app: null,
        title: `Collection ${n % 97}`,
      }),
      created_at: n % 1009,
      modified_at: (n * 7919) % 1013,
    }))
    await app.ctx.transaction((tx) => Promise.all(rows.map((row) => insertCollection(tx, row))))
    for (let n = 0; n < 10; n++) {
      const id = await newCollection(app, tess, `Shared ${n}`)
      await give(app, { on: 'collection', id }, { user: sam.id }, 'read')
    }
  })

  const columns = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const
  const orders = (['creationDate', 'modificationDate', 'title'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((direction) => ({ sort, direction })),
  )

  describe.each(['without', 'with'])('%s statistics', (statistics) => {
    beforeAll(async () => {
      if (statistics === 'with') await analyze(app.ctx.db, 'collections', 'grants', 'users')
    })

    it.each(orders)('reads no more rows than page 1, by $sort $direction', async ({ sort, direction }) => {
      const viewer = { id: sam.id, organization: undefined } as Actor
      const plan = (next?: string) =>
        planOf(app.ctx.db.read, (queries) =>
          listCollectionsOf(queries, viewer, 'user', { sort, direction, limit: 25, next }),
        )
      const { key, id } = await app.ctx.db.read
        .selectFrom('collections')
        .where('user_id', '=', sam.id)
        .select([`${columns[sort]} as key`, 'id'])
        .orderBy('key', direction)
        .orderBy('id', direction)
        .offset(399 * 25 - 1)
        .limit(1)
        .executeTakeFirstOrThrow()
      const first = await plan()
      const deep = await plan(encodeCursor(`${sort}.${direction}`, [key, id]))
      expectSameCost(databases.dialect, first, deep)
    })
  })
})
