import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { readsDuring } from '../../../../test/support/reads.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'

describeEachDatabase('listCollections', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let otto: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    otto = people.otto
    const other = await app.person('other')
    for (const title of ['Études', 'duets', 'Canons', 'arias', 'Ballads']) {
      await newCollection(app, otto, title)
      await newCollection(app, other, `${title} of another`)
      clock.forward(minute)
    }
  })

  const list = async (query = '') => (await otto.get(`/collections${query}`)).body
  const titles = (body: { title: string }[]) => body.map(({ title }) => title)

  const virtual = ['All scores', 'Shared scores', 'Liked scores']

  it('lists the virtual collections, then the caller’s collections, the newest first', async () => {
    const body = await list()
    expect(titles(body)).toEqual([...virtual, 'Ballads', 'arias', 'Canons', 'duets', 'Études'])
  })

  it.each<[string, string[]]>([
    ['?sort=title', ['arias', 'Ballads', 'Canons', 'duets', 'Études']],
    ['?sort=title&direction=desc', ['Études', 'duets', 'Canons', 'Ballads', 'arias']],
    ['?sort=creationDate', ['Ballads', 'arias', 'Canons', 'duets', 'Études']],
    ['?direction=asc', ['Études', 'duets', 'Canons', 'arias', 'Ballads']],
    ['?sort=modificationDate&direction=asc', ['Études', 'duets', 'Canons', 'arias', 'Ballads']],
  ])('sorts by %s', async (query, expected) => {
    expect(titles(await list(query))).toEqual([...virtual, ...expected])
  })

  it.each(['user', 'root', 'sharedWithMe'])('accepts parent %s for the whole list', async (parent) => {
    expect(await list(`?parent=${parent}`)).toEqual(await list())
  })

  it('lists nothing for a collection, and returns 404 for an unknown one', async () => {
    const [, , , own] = await list()
    for (const parent of [own.id, 'app', 'likes']) expect(await list(`?parent=${parent}`)).toEqual([])
    const [foreign] = (await people.sam.get('/collections?parent=user')).body.slice(3)
    for (const parent of ['shelf', '0123456789abcdef01234567', ...(foreign ? [foreign.id] : [])]) {
      const { status, body } = await otto.get(`/collections?parent=${parent}`)
      expect([status, body.code, body.param]).toEqual([404, 'COLLECTION_NOT_FOUND', 'parent'])
    }
  })

  it('names the virtual collections in the language of the account', async () => {
    const emil = await app.person('emil', { locale: 'de-AT' })
    const names = async (init?: RequestInit) => titles((await emil.get('/collections', init)).body)
    expect(await names()).toEqual(['Alle Noten', 'Geteilte Noten', 'Noten, die mir gefallen'])
    expect(await names({ headers: { 'X-Flat-Locale': 'en' } })).toEqual(virtual)
    expect((await emil.get('/collections/trash')).body.title).toBe('Papierkorb')
  })

  it('marks the deprecated values of parent', async () => {
    for (const parent of ['root', 'sharedWithMe', 'user', 'trash']) {
      const { headers } = await otto.get(`/collections?parent=${parent}`)
      expect(headers.has('deprecation')).toBe(parent === 'root' || parent === 'sharedWithMe')
    }
  })

  it('lists the collections in the trash for parent trash', async () => {
    expect(await list('?parent=trash')).toEqual([])
  })

  describe('paging', () => {
    it('includes the virtual collections on the first page only, in addition to its limit', async () => {
      const pages: string[][] = []
      let path: string | undefined = '/collections?limit=2&sort=title'
      while (path) {
        const { body, headers } = await otto.get(path)
        pages.push(titles(body))
        path = linksOf(headers, app.url).next
      }
      expect(pages).toEqual([[...virtual, 'arias', 'Ballads'], ['Canons', 'duets'], ['Études']])
    })

    it('includes the virtual collections again on the way back to the first page', async () => {
      const first = await otto.get('/collections?limit=2&sort=title')
      const second = await otto.get(linksOf(first.headers, app.url).next as string)
      const firstAgain = await otto.get(linksOf(second.headers, app.url).previous as string)
      expect(firstAgain.body).toEqual(first.body)
      expect(linksOf(firstAgain.headers, app.url).previous).toBeUndefined()
    })

    it('omits the virtual collections on a later page that has become empty', async () => {
      const nora = await app.person('nora')
      const ids: string[] = []
      for (const title of ['one', 'two']) ids.push(await newCollection(app, nora, title))
      const next = linksOf((await nora.get('/collections?limit=1&sort=title')).headers, app.url)
        .next as string
      await app.ctx.transaction(async (tx) => {
        await tx
          .deleteFrom('collections')
          .where('id', '=', ids[1] as string)
          .execute()
      })
      expect((await nora.get(next)).body).toEqual([])
    })

    it.each(['0', '101', '-1', 'x', '1.5', ''])('refuses the limit %j', async (limit) => {
      const { status, body } = await otto.get(`/collections?limit=${limit}`)
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'limit'])
    })

    it('accepts limits from 1 to 100', async () => {
      expect(await list('?limit=1')).toHaveLength(4)
      expect(await list('?limit=100')).toHaveLength(8)
    })
  })

  describe('with shared collections', () => {
    let tess: Person
    let sam: Person

    beforeAll(() => {
      ;({ tess, sam } = people)
    })

    const share = (id: string, ...holders: Parameters<typeof give>[2][]) =>
      Promise.all(holders.map((holder) => give(app, { on: 'collection', id }, holder, 'read')))
    const regular = async (query: string): Promise<{ id: string; title: string }[]> =>
      (await sam.get(query)).body.filter(({ type }: { type: string }) => type === 'regular')

    it('sorts own and shared collections together, each once, even with several grants', async () => {
      const choir = await newGroup(app, people.id, 'Choir', sam, tess)
      const band = await newGroup(app, people.id, 'Band', sam)
      const collections: Record<string, string> = {}
      for (const [title, owner] of [
        ['e', sam],
        ['b', tess],
        ['d', tess],
        ['a', sam],
        ['c', tess],
      ] as const) {
        collections[title] = await newCollection(app, owner, title)
        clock.forward(minute)
      }
      await share(collections.b as string, { user: sam.id })
      await share(collections.d as string, { group: choir }, { group: band }, { user: sam.id })
      await share(collections.c as string, { group: choir })
      // Shared with a group of which the owner is a member.
      await share(collections.a as string, { group: band })

      const walk = async (query: string, direction: 'next' | 'previous' = 'next', from?: string) => {
        const titles: string[] = []
        for (let path = from ?? `/collections?limit=2&${query}`; path; ) {
          const { headers } = await sam.get(path)
          const page = (await regular(path)).map(({ title }) => title)
          if (direction === 'next') titles.push(...page)
          else titles.unshift(...page)
          const links = linksOf(headers, app.url)
          if (!links[direction]) return { titles, last: path }
          path = links[direction]
        }
        return { titles, last: '' }
      }
      for (const [query, expected] of [
        ['', 'cadbe'],
        ['direction=asc', 'ebdac'],
        ['sort=title', 'abcde'],
        ['sort=title&direction=desc', 'edcba'],
        ['sort=modificationDate', 'cadbe'],
      ] as const) {
        const forward = await walk(query)
        expect(forward.titles.join('')).toBe(expected)
        const backward = await walk(query, 'previous', forward.last)
        expect(backward.titles.join('')).toBe(expected)
      }
    })

    it('neither repeats nor skips a row while other rows are added and deleted', async () => {
      const ownIds: string[] = []
      for (const n of [10, 30, 50]) ownIds.push(await newCollection(app, people.sol, `${n}`))
      const sharedIds: string[] = []
      for (const n of [20, 40, 60]) sharedIds.push(await newCollection(app, tess, `${n}`))
      for (const id of sharedIds) await share(id, { user: people.sol.id })
      const page = async (path: string) => {
        const { body, headers } = await people.sol.get(path)
        const own = body.filter(({ type }: { type: string }) => type === 'regular')
        return { titles: titles(own), ...linksOf(headers, app.url) }
      }
      const first = await page('/collections?limit=2&sort=title')
      expect(first.titles).toEqual(['10', '20'])
      // The grant on the row at which the page ended is removed, a row after it is deleted, and rows are
      // added on both sides.
      await tess.delete(`/collections/${sharedIds[0]}/collaborators/${people.sol.id}`)
      await people.sol.delete(`/collections/${ownIds[1]}`)
      await newCollection(app, people.sol, '15')
      const late = await newCollection(app, tess, '35')
      await share(late, { user: people.sol.id })
      const second = await page(first.next as string)
      expect(second.titles).toEqual(['35', '40'])
      const third = await page(second.next as string)
      expect(third.titles).toEqual(['50', '60'])
      expect(third.next).toBeUndefined()
      expect((await page(third.previous as string)).titles).toEqual(['35', '40'])
      expect((await page((await page(third.previous as string)).previous as string)).titles).toEqual([
        '10',
        '15',
      ])
    })

    it('runs the same number of queries for any number of collections and grants', async () => {
      const queriesFor = (person: Person) => readsDuring(app, () => person.get('/collections?limit=100'))
      const ned = await app.person('ned', { organization: people.id })
      const counts = [await queriesFor(ned)]
      const add = async (owner: Person, ...holders: Person[]) => {
        const id = await newCollection(app, owner, 'One more')
        await share(id, ...holders.map(({ id }) => ({ user: id })))
      }
      await add(ned, tess, sam)
      await add(tess, ned)
      counts.push(await queriesFor(ned))
      for (let n = 0; n < 12; n++) {
        await add(ned, tess, sam, people.sol, people.ada)
        await add(people.theo, tess, sam, people.sol, ned)
      }
      counts.push(await queriesFor(ned))
      expect(counts).toEqual([5, 7, 7])
    })

    it('returns the caller’s capabilities for each collection', async () => {
      const id = await newCollection(app, tess, 'To write')
      await give(app, { on: 'collection', id }, { user: people.theo.id }, 'write')
      const listed = (await people.theo.get('/collections')).body.find((one: { id: string }) => one.id === id)
      expect(listed).toEqual((await people.theo.get(`/collections/${id}`)).body)
      expect(listed).toMatchObject({
        user: { id: tess.id },
        capabilities: { canAddScores: true, canShare: false },
      })
    })
  })

  it.each(['sort=name', 'direction=up', 'sort=title&sort=title'])('refuses %s', async (query) => {
    const { status, body } = await otto.get(`/collections?${query}`)
    expect([status, body.param]).toEqual([400, query.split('=')[0]])
  })
})
