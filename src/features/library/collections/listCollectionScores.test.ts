import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { readsDuring } from '../../../../test/support/reads.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'
import { storeScores } from '../../../../test/support/stored-scores.ts'

describeEachDatabase('listCollectionScores', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let tess: Person
  let otto: Person
  let collectionId: string
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    tess = await app.person('tess')
    otto = await app.person('otto')
    collectionId = await newCollection(app, tess, 'Kept')
    for (const title of ['Études', 'duets', 'Canons', 'arias', 'Ballads']) {
      ids[title] = await newScore(tess, title, collectionId)
      clock.forward(minute)
    }
    await tess.put(`/scores/${ids.Canons}`, { composer: 'Changed last' })
    clock.forward(minute)
  })

  const newScore = async (owner: Person, title: string, collection?: string): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(title), collection })).body.id
  const titles = (body: { title: string }[]) => body.map(({ title }) => title)

  it('lists the scores of a collection, the last modified first', async () => {
    const { status, body } = await tess.get(`/collections/${collectionId}/scores`)
    expect(status).toBe(200)
    expect(titles(body)).toEqual(['Canons', 'Ballads', 'arias', 'duets', 'Études'])
    expect(body[0]).toEqual((await tess.get(`/scores/${ids.Canons}`)).body)
  })

  it.each<[string, string[]]>([
    ['sort=title', ['arias', 'Ballads', 'Canons', 'duets', 'Études']],
    ['sort=title&direction=desc', ['Études', 'duets', 'Canons', 'Ballads', 'arias']],
    ['sort=creationDate', ['Ballads', 'arias', 'Canons', 'duets', 'Études']],
    ['sort=creationDate&direction=asc', ['Études', 'duets', 'Canons', 'arias', 'Ballads']],
    ['sort=modificationDate', ['Canons', 'Ballads', 'arias', 'duets', 'Études']],
    ['direction=asc', ['Études', 'duets', 'arias', 'Ballads', 'Canons']],
  ])('sorts by %s, in a collection and in the whole library', async (query, expected) => {
    for (const collection of [collectionId, 'allScores', 'root']) {
      expect(titles((await tess.get(`/collections/${collection}/scores?${query}`)).body)).toEqual(expected)
    }
  })

  it('sorts by composer and title, and by duration, also after a change', async () => {
    const ida = await app.person('ida')
    const collection = await newCollection(app, ida, 'Concert')
    const add = async (title: string, measures: number, composer?: string) => {
      const data = musicXml({ title, measures: Array.from({ length: measures }, () => 'C4 D4 E4 F4') })
      const { id } = (await ida.post('/scores', { data, collection })).body
      await ida.put(`/scores/${id}`, { composer: composer ?? null })
      return id
    }
    await add('Waltz', 2, 'Zoë Young')
    const march = await add('March', 3, 'Álvaro Abad')
    await add('Air', 1, 'zoe young')
    await add('Old song', 4)
    const listed = async (query: string) => {
      const walked: string[] = []
      let next: string | undefined = `/collections/${collection}/scores?limit=3&${query}`
      while (next) {
        const { body, headers } = await ida.get(next)
        walked.push(...titles(body))
        next = linksOf(headers, app.url).next
      }
      const [whole, all] = await Promise.all(
        [collection, 'allScores'].map((of) => ida.get(`/collections/${of}/scores?${query}`)),
      )
      expect([titles(whole?.body), titles(all?.body)]).toEqual([walked, walked])
      return walked
    }
    expect(await listed('sort=composer')).toEqual(['March', 'Air', 'Waltz', 'Old song'])
    expect(await listed('sort=composer&direction=desc')).toEqual(['Old song', 'Waltz', 'Air', 'March'])
    expect(await listed('sort=duration')).toEqual(['Old song', 'March', 'Waltz', 'Air'])
    const longer = musicXml({ title: 'March', measures: Array.from({ length: 9 }, () => 'C4 D4 E4 F4') })
    expect((await ida.post(`/scores/${march}/revisions`, { data: longer, autosave: false })).status).toBe(200)
    await ida.put(`/scores/${march}`, { composer: 'Zz Top' })
    expect(await listed('sort=duration&direction=asc')).toEqual(['Air', 'Waltz', 'Old song', 'March'])
    expect(await listed('sort=composer')).toEqual(['Air', 'Waltz', 'March', 'Old song'])
  })

  it('orders equal titles by age in both directions', async () => {
    const pia = await app.person('pia')
    const same: string[] = []
    for (const _ of [1, 2, 3]) same.push(await newScore(pia, 'Same'))
    const order = async (direction: string) =>
      (await pia.get(`/collections/app/scores?sort=title&direction=${direction}`)).body.map(
        (s: { id: string }) => s.id,
      )
    expect(await order('asc')).toEqual(same)
    expect(await order('desc')).toEqual(same.toReversed())
  })

  it('lists scores made with tokens in app, deleted scores in trash and all others in allScores', async () => {
    const paul = await app.person('paul')
    const inApp = await newScore(paul, 'In the app')
    const inNone = await newScore(paul, 'Nowhere', 'root')
    const deleted = await newScore(paul, 'Deleted')
    await paul.delete(`/scores/${deleted}`)
    const idsIn = async (alias: string) =>
      (await paul.get(`/collections/${alias}/scores?sort=title`)).body.map(({ id }: { id: string }) => id)
    expect(await idsIn('app')).toEqual([inApp])
    expect(await idsIn('allScores')).toEqual([inApp, inNone])
    expect(await idsIn('root')).toEqual([inApp, inNone])
    expect(await idsIn('trash')).toEqual([deleted])
  })

  it('runs the same number of queries for any number of scores and grants', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, (_, n) => app.person(`reader${n}`)))
    const queriesFor = (person: Person, collection: string, scores: number) =>
      readsDuring(app, async () => {
        expect((await person.get(`/collections/${collection}/scores?limit=100`)).body).toHaveLength(scores)
      })
    const plain = await newCollection(app, tess, 'Plain')
    await storeScores(app, tess, plain, 25)
    const shared = await newCollection(app, tess, 'Shared')
    const scores = await storeScores(app, tess, shared, 25)
    for (const { id } of people) await give(app, { on: 'collection', id: shared }, { user: id }, 'read')
    for (const score of scores) {
      for (const { id } of people) await give(app, { on: 'score', id: score }, { user: id }, 'read')
      await Promise.all(people.map((person) => person.put(`/scores/${score}/like`)))
    }
    const [reader] = people as [Person]
    expect(await queriesFor(tess, plain, 25)).toBe(3)
    expect(await queriesFor(tess, shared, 25)).toBe(5)
    expect(await queriesFor(reader, shared, 25)).toBe(6)
    await storeScores(app, tess, shared, 75)
    await give(app, { on: 'collection', id: shared }, { user: otto.id }, 'read')
    expect(await queriesFor(tess, shared, 100)).toBe(5)
    for (const person of [reader, otto]) expect(await queriesFor(person, shared, 100)).toBe(6)
  })

  it('returns the same 404 for another user’s collection as for a missing one', async () => {
    const { status, body } = await otto.get(`/collections/${collectionId}/scores`)
    expect([status, body.code]).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(body).toEqual((await otto.get('/collections/0123456789abcdef01234567/scores')).body)
    expect((await otto.get('/collections/allScores/scores')).body).toEqual([])
  })

  describe('paging', () => {
    let pat: Person
    let path: string

    beforeAll(async () => {
      pat = await app.person('pat')
      const collection = await newCollection(app, pat, 'Long')
      path = `/collections/${collection}/scores`
      for (const n of [1, 2, 3, 4, 5, 6, 7]) await newScore(pat, `Piece ${n}`, collection)
    })

    const page = async (at: string) => {
      const { body, headers } = await pat.get(at)
      return {
        titles: titles(body).map((title) => title.replace('Piece ', '')),
        ...linksOf(headers, app.url),
      }
    }

    it('goes to the last page and back over the same pages', async () => {
      const forwardPages: string[][] = []
      let at: string | undefined = `${path}?limit=3&sort=title`
      let last = at
      for (; at; at = (await page(at)).next) {
        last = at
        forwardPages.push((await page(at)).titles)
      }
      expect(forwardPages).toEqual([['1', '2', '3'], ['4', '5', '6'], ['7']])

      const backwardPages: string[][] = []
      for (at = last; at; at = (await page(at)).previous) backwardPages.unshift((await page(at)).titles)
      expect(backwardPages.at(-1)).toEqual(['7'])
      expect(backwardPages.flat()).toEqual(forwardPages.flat())
    })

    it('has no link before the first page and none after the last', async () => {
      const first = await page(`${path}?limit=4&sort=title`)
      expect(first.previous).toBeUndefined()
      const second = await page(first.next as string)
      expect(second.next).toBeUndefined()
      expect((await page(`${path}?limit=7`)).next).toBeUndefined()
    })

    it('keeps the other parameters in its links, in a form that strict clients can parse', async () => {
      const { headers } = await pat.get(`${path}?limit=2&sort=title&direction=desc&foo=a%26b`)
      expect(headers.get('link')).toMatch(
        new RegExp(
          `^<${app.url}/v2${path}\\?limit=2&sort=title&direction=desc&foo=a%26b&next=[A-Za-z0-9_-]+>; rel="next"$`,
        ),
      )
    })

    it('neither repeats nor skips a row while other rows are added and deleted', async () => {
      const nell = await app.person('nell')
      const pieces: string[] = []
      for (const n of [10, 20, 30, 40, 50, 60]) pieces.push(await newScore(nell, `Piece ${n}`))
      const walk = async (at: string) => {
        const { body, headers } = await nell.get(at)
        return { titles: titles(body), ...linksOf(headers, app.url) }
      }
      const first = await walk('/collections/app/scores?sort=title&limit=2')
      expect(first.titles).toEqual(['Piece 10', 'Piece 20'])

      await newScore(nell, 'Piece 15')
      await newScore(nell, 'Piece 25')
      // The row at which the page ended, and a row after it.
      await nell.delete(`/scores/${pieces[1]}`)
      await nell.delete(`/scores/${pieces[3]}`)

      const second = await walk(first.next as string)
      expect(second.titles).toEqual(['Piece 25', 'Piece 30'])
      const third = await walk(second.next as string)
      expect(third.titles).toEqual(['Piece 50', 'Piece 60'])
      expect(third.next).toBeUndefined()

      await nell.delete(`/scores/${pieces[2]}`)
      const secondAgain = await walk(third.previous as string)
      expect(secondAgain.titles).toEqual(['Piece 15', 'Piece 25'])
      expect((await walk(secondAgain.previous as string)).titles).toEqual(['Piece 10'])
    })

    it.each(['0', '101', 'x', '2.5', ''])('refuses the limit %j', async (limit) => {
      const { status, body } = await pat.get(`${path}?limit=${limit}`)
      expect([status, body.param]).toEqual([400, 'limit'])
    })

    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

    it.each<[string, string]>([
      ['that is not base64', '%F0%9F%8E%B5'],
      ['that is not JSON', 'abcd'],
      ['that is not an array', cursor({ sort: 'title' })],
      ['of nothing', cursor([])],
      ['without its id', cursor(['title.asc', 'a'])],
      ['of another order', cursor(['creationDate.asc', 1, '0123456789abcdef01234567'])],
      ['of the other direction', cursor(['title.desc', 'a', '0123456789abcdef01234567'])],
      ['with a key of another type', cursor(['title.asc', 1, '0123456789abcdef01234567'])],
      ['with too many keys', cursor(['title.asc', 'a', '0123456789abcdef01234567', 1])],
      ['with U+0000', cursor(['title.asc', 'a\0', '0123456789abcdef01234567'])],
      ['with half of a surrogate pair', cursor(['title.asc', '\ud83c', '0123456789abcdef01234567'])],
      ['with an invalid id', cursor(['title.asc', 'a', '\0'])],
    ])('refuses a cursor %s', async (_what, broken) => {
      for (const param of ['next', 'previous']) {
        const { status, body } = await pat.get(`${path}?sort=title&${param}=${broken}`)
        expect([status, body.code, body.param]).toEqual([400, 'INVALID_CURSOR', param])
      }
    })

    it.each([1.5, 1e300, -1e21, 2 ** 60])('refuses a cursor with the time %d', async (time) => {
      const broken = cursor(['creationDate.desc', time, '0123456789abcdef01234567'])
      const { status, body } = await pat.get(`${path}?sort=creationDate&next=${broken}`)
      expect([status, body.code]).toEqual([400, 'INVALID_CURSOR'])
    })

    it('refuses a cursor of another sort order', async () => {
      const { next = '' } = await page(`${path}?limit=2&sort=title`)
      const { status, body } = await pat.get(next.replace('sort=title', 'sort=modificationDate'))
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_CURSOR', 'next'])
    })
  })
})
