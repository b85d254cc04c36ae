import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { analyze, expectSameCost, planOf, rowsRead } from '../../../../test/support/query-plans.ts'
import { give } from '../../../../test/support/sharing.ts'
import { storeScores } from '../../../../test/support/stored-scores.ts'
import { encodeCursor } from '../../../lib/cursors.ts'
import type { Actor } from '../../../actor.ts'
import { scoreSorts } from '../../../contract/paging.ts'
import { connection, queriesOn } from '../../../platform/db/connection.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { listLikes, listScores, type ScoreList, sortColumns } from './lists.store.ts'

describeEachDatabase('a list of scores', (databases) => {
  const app = useApp(databases)

  it('is read as a scan only if words are searched in it', async () => {
    const nora = await app.person('nora')
    const target = app.ctx.db.read[connection]
    const scans: boolean[] = []
    const queries = queriesOn({
      ...target,
      run(statement, values) {
        scans.push(statement.isScan === true)
        return target.run(statement, values)
      },
    })
    const viewer = { id: nora.id, organization: undefined } as Actor
    const list = { in: 'library', user: nora.id } as const
    const request = { sort: 'title', direction: 'asc', limit: 25 } as const
    await listScores(queries, viewer, list, { ...request, search: 'nocturne' })
    await listScores(queries, viewer, list, request)
    expect(scans).toEqual([true, false])
  })
})

describeEachDatabase('a list of a few scores among thousands', (databases) => {
  const app = useApp(databases)

  it('reads only these and what they need, without statistics', async () => {
    const [nora, lars] = [await app.person('nora'), await app.person('lars')]
    const collection = await newCollection(app, lars, 'Long')
    const ids = await storeScores(app, lars, collection, 5000, { privacy: 'public' })
    for (const id of ids.slice(0, 5)) {
      await nora.put(`/scores/${id}/like`)
      await give(app, { on: 'score', id }, { user: nora.id }, 'read')
    }
    const viewer = { id: nora.id, organization: undefined } as Actor
    const request = { sort: 'title', direction: 'asc', limit: 25 } as const
    const reads: Record<string, (queries: Queries) => Promise<{ rows: unknown[] }>> = {
      shared: (queries) => listScores(queries, viewer, { in: 'shared', user: nora.id }, request),
      liked: (queries) => listScores(queries, viewer, { in: 'liked', user: nora.id }, request),
      likes: (queries) => listLikes(queries, viewer, nora.id, { limit: 25 }),
    }
    for (const [name, read] of Object.entries(reads)) {
      expect([name, (await read(app.ctx.db.read)).rows.length]).toEqual([name, 5])
      const plan = await planOf(app.ctx.db.read, read)
      if (databases.dialect === 'postgres') expect([name, rowsRead(plan) < 300]).toEqual([name, true])
      else expect([name, plan.filter((step) => /^SCAN (scores|users)\b/.test(step))]).toEqual([name, []])
    }
  })
})

describeEachDatabase('page 400 of a list of scores', (databases) => {
  const app = useApp(databases)
  let tess: Person
  let sam: Person
  let collection: string

  beforeAll(async () => {
    tess = await app.person('tess')
    sam = await app.person('sam')
    collection = await newCollection(app, tess, 'Long')
    await storeScores(app, tess, collection, 10_000)
    await give(app, { on: 'collection', id: collection }, { user: sam.id }, 'read')
  })

  const lists: [string, () => { by: Person; target: ScoreList }][] = [
    ['of the viewer’s own collection', () => ({ by: tess, target: { in: 'collection', collection } })],
    ['of another user’s collection', () => ({ by: sam, target: { in: 'collection', collection } })],
    ['of the viewer’s library', () => ({ by: tess, target: { in: 'library', user: tess.id } })],
  ]
  const orders = lists.flatMap(([which, list]) =>
    scoreSorts.flatMap((sort) =>
      (['asc', 'desc'] as const).map((direction) => ({ which, list, sort, direction })),
    ),
  )

  describe.each(['without', 'with'])('%s statistics', (statistics) => {
    beforeAll(async () => {
      if (statistics === 'with')
        await analyze(app.ctx.db, 'scores', 'collection_scores', 'collections', 'grants', 'users')
    })

    it.each(orders)(
      'the query for a list $which reads no more rows than for page 1, by $sort $direction',
      async ({ list, sort, direction }) => {
        const { by, target } = list()
        const viewer = { id: by.id, organization: undefined } as Actor
        const plan = (next?: string) =>
          planOf(app.ctx.db.read, (queries) =>
            listScores(queries, viewer, target, { sort, direction, limit: 25, next }),
          )
        const { key, id } = await app.ctx.db.read
          .selectFrom('collection_scores')
          .select([`${sortColumns[sort]} as key`, 'score_id as id'])
          .orderBy('key', direction)
          .orderBy('id', direction)
          .offset(399 * 25 - 1)
          .limit(1)
          .executeTakeFirstOrThrow()
        const first = await plan()
        const deep = await plan(encodeCursor(`${sort}.${direction}`, [key, id]))
        expectSameCost(databases.dialect, first, deep)
      },
    )
  })
})
