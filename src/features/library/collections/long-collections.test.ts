import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { storeScores } from '../../../../test/support/stored-scores.ts'
import type { Actor } from '../../../actor.ts'
import type { PageCursors } from '../../../answer.ts'
import { type ListedScore, listScores, type ScorePageRequest } from '../scores/lists.store.ts'

describeApp('a collection of 10,000 scores, page by page', (app) => {
  let otto: Person
  let collection: string
  /** The ids of the scores that the test has not deleted. */
  let remaining: Set<string>

  beforeAll(async () => {
    otto = await app.person('otto')
    collection = await newCollection(app, otto, 'Long')
    remaining = new Set(await storeScores(app, otto, collection, 10_000))
  })

  const keys = { creationDate: 'created_at', modificationDate: 'modified_at', title: 'title_key' } as const
  const orders = (['creationDate', 'modificationDate', 'title'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((direction) => ({ sort, direction, limit: 250 })),
  )

  function pageOf(order: ScorePageRequest, cursors: PageCursors) {
    const viewer = { id: otto.id, organization: undefined } as Actor
    return listScores(app.ctx.db.read, viewer, { in: 'collection', collection }, { ...order, ...cursors })
  }

  let round = 0
  /** Deletes scores across the list and at the ends of the last page, and adds new scores there. */
  async function changeCollection(read: readonly ListedScore[]): Promise<void> {
    const all = [...remaining]
    const atRandom = [1, 2, 3, 4].map((n) => all[(++round * n * 7919) % all.length])
    const deleted = [...atRandom, read[0]?.id, read.at(-1)?.id].filter((id) => id !== undefined)
    for (const id of deleted) remaining.delete(id)
    await Promise.all([
      storeScores(app, otto, collection, 6),
      app.ctx.transaction((tx) => tx.deleteFrom('scores').where('id', 'in', deleted).execute()),
    ])
  }

  /**
   * Follows the cursors to the end of the list while rows are added and deleted. Returns the rows and the
   * last cursors.
   */
  async function walk(order: ScorePageRequest, towards: 'next' | 'previous', from: PageCursors) {
    const pages: ListedScore[][] = []
    let last = from
    for (let at: PageCursors | undefined = from; at; ) {
      last = at
      const isChanged = pages.length % 4 === 1
      const reading = pageOf(order, at)
      const [{ rows, cursors }] = await Promise.all([
        reading,
        isChanged && changeCollection(pages.at(-1) ?? []),
      ])
      pages.push(rows)
      at = cursors[towards] === undefined ? undefined : { [towards]: cursors[towards] }
    }
    return { rows: (towards === 'next' ? pages : pages.reverse()).flat(), last }
  }

  it.each(orders)(
    'neither repeats nor skips a row by $sort $direction while other rows are added and deleted',
    async (order) => {
      function check(rows: readonly ListedScore[]): void {
        const seen = new Set(rows.map(({ id }) => id))
        expect(rows).toHaveLength(seen.size)
        expect([...remaining].filter((id) => !seen.has(id))).toEqual([])
        const key = keys[order.sort]
        const isBefore = (a: ListedScore, b: ListedScore) =>
          (a[key] === b[key] ? a.id < b.id : a[key] < b[key]) === (order.direction === 'asc')
        expect(rows.filter((row, n) => n > 0 && !isBefore(rows[n - 1] as ListedScore, row))).toEqual([])
      }
      const before = remaining.size
      const forward = await walk(order, 'next', {})
      check(forward.rows)
      const backward = await walk(order, 'previous', forward.last)
      check(backward.rows)
      expect(before - remaining.size).toBeGreaterThan(50)
      expect(backward.rows.length).toBeGreaterThan(remaining.size)
    },
  )
})
