import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { minute, testClock } from '../../../test/support/clock.ts'
import { newCollection } from '../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { linksOf } from '../../../test/support/paging.ts'

describeEachDatabase('listCollections', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person

  beforeAll(async () => {
    otto = await app.person('otto')
    const other = await app.person('other')
    for (const title of ['Études', 'duets', 'Canons', 'arias', 'Ballads']) {
      await newCollection(app, otto, title)
      await newCollection(app, other, `${title} of another`)
      clock.forward(minute)
    }
  })

  const list = async (query = '') => (await otto.get(`/collections${query}`)).body
  const titles = (body: { title: string }[]) => body.map(({ title }) => title)

  it('lists the caller’s collections, the newest first, after the virtual ones', async () => {
    const body = await list()
    expect(body[0]).toMatchObject({ id: 'allScores', type: 'allScores', capabilities: { canAddScores: false } })
    expect(titles(body).slice(1)).toEqual(['Ballads', 'arias', 'Canons', 'duets', 'Études'])
  })

  it.each<[string, string[]]>([
    ['?sort=title', ['arias', 'Ballads', 'Canons', 'duets', 'Études']],
    ['?sort=title&direction=desc', ['Études', 'duets', 'Canons', 'Ballads', 'arias']],
    ['?sort=creationDate', ['Ballads', 'arias', 'Canons', 'duets', 'Études']],
    ['?direction=asc', ['Études', 'duets', 'Canons', 'arias', 'Ballads']],
    ['?sort=modificationDate&direction=asc', ['Études', 'duets', 'Canons', 'arias', 'Ballads']],
  ])('sorts by %s', async (query, expected) => {
    expect(titles(await list(query)).slice(1)).toEqual(expected)
  })

  it.each(['user', 'root', 'sharedWithMe'])('takes parent %s for all', async (parent) => {
    expect(await list(`?parent=${parent}`)).toEqual(await list())
  })

  it('parent trash lists what is to be deleted', async () => {
    expect(await list('?parent=trash')).toEqual([])
  })

  describe('page by page', () => {
    it('has the virtual ones on the first page only, beyond its limit', async () => {
      const pages: string[][] = []
      let path: string | undefined = '/collections?limit=2&sort=title'
      while (path) {
        const { body, headers } = await otto.get(path)
        pages.push(titles(body))
        path = linksOf(headers, app.url).next
      }
      expect(pages).toEqual([['All scores', 'arias', 'Ballads'], ['Canons', 'duets'], ['Études']])
    })

    it('has them again when one goes back to the first page', async () => {
      const first = await otto.get('/collections?limit=2&sort=title')
      const second = await otto.get(linksOf(first.headers, app.url).next as string)
      const back = await otto.get(linksOf(second.headers, app.url).previous as string)
      expect(back.body).toEqual(first.body)
      expect(linksOf(back.headers, app.url).previous).toBeUndefined()
    })

    it('does not have them on a page behind the first that has become empty', async () => {
      const nora = await app.person('nora')
      const ids: string[] = []
      for (const title of ['one', 'two']) ids.push(await newCollection(app, nora, title))
      const next = linksOf((await nora.get('/collections?limit=1&sort=title')).headers, app.url).next as string
      await app.ctx.transaction(async (tx) => {
        await tx
          .deleteFrom('collections')
          .where('id', '=', ids[1] as string)
          .execute()
      })
      expect((await nora.get(next)).body).toEqual([])
    })

    it.each(['0', '101', '-1', 'x', '1.5', ''])('takes no limit of %j', async (limit) => {
      const { status, body } = await otto.get(`/collections?limit=${limit}`)
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'limit'])
    })

    it('takes limits from 1 to 100', async () => {
      expect(await list('?limit=1')).toHaveLength(2)
      expect(await list('?limit=100')).toHaveLength(6)
    })
  })

  it.each(['sort=name', 'direction=up', 'sort=title&sort=title'])('refuses %s', async (query) => {
    const { status, body } = await otto.get(`/collections?${query}`)
    expect([status, body.param]).toEqual([400, query.split('=')[0]])
  })
})
