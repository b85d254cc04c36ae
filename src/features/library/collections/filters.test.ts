import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeApp('listCollectionScores with filters', (app) => {
  let tess: Person

  beforeAll(async () => {
    tess = await app.person('tess')
    const otto = await app.person('otto')
    const scores = [
      { title: 'Lieder', composer: 'Clara Schumann', parts: ['Violin'] },
      { title: 'For Clara', composer: 'Johannes Brahms', parts: ['Bass Clarinet'], privacy: 'public' },
      { title: 'Violin tune', composer: 'Fanny Hensel', parts: ['Piano'], privacy: 'privateLink' },
    ]
    for (const { privacy = 'private', ...about } of scores)
      await tess.post('/scores', { data: musicXml(about), privacy })
    const lent = (await otto.post('/scores', { data: musicXml({ title: 'Lent', composer: 'Otto' }) })).body.id
    await otto.post(`/scores/${lent}/collaborators`, { user: tess.id, aclRead: true })
    const own = (await tess.get('/collections/allScores/scores?q=lieder')).body[0].id
    await tess.post(`/scores/${own}/collaborators`, { user: otto.id, aclRead: true })
  })

  const find = async (filters: Record<string, string>, collection = 'allScores') => {
    const query = new URLSearchParams({ sort: 'title', ...filters })
    const { status, body } = await tess.get(`/collections/${collection}/scores?${query}`)
    expect(status).toBe(200)
    return body.map(({ title }: { title: string }) => title)
  }

  it.each<[string, Record<string, string>, string[]]>([
    ['a composer, and not a title with the name', { composer: 'clara' }, ['Lieder']],
    ['the beginnings of the words of a composer', { composer: 'SCHU cl' }, ['Lieder']],
    ['only beginnings of words', { composer: 'lara' }, []],
    ['an instrument, and not a title with the name', { instrument: 'violin' }, ['Lieder']],
    ['a word of an instrument in another language', { instrument: 'bassklari' }, ['For Clara']],
    ['the second word of an instrument', { instrument: 'clarinet' }, ['For Clara']],
    ['the privacy', { privacy: 'privateLink' }, ['Violin tune']],
    [
      'several at once',
      { composer: 'brahms', instrument: 'bass', privacy: 'public', q: 'for' },
      ['For Clara'],
    ],
    ['several that exclude each other', { composer: 'brahms', privacy: 'private' }, []],
  ])('finds by %s', async (_what, filters, expected) => {
    expect(await find(filters)).toEqual(expected)
  })

  it('finds the shared scores of the caller, and those of others', async () => {
    expect(await find({}, 'collaborations')).toEqual(['Lent', 'Lieder'])
    expect(await find({ owner: 'others' }, 'collaborations')).toEqual(['Lent'])
    expect(await find({ owner: 'me' }, 'collaborations')).toEqual(['Lieder'])
    expect(await find({ owner: 'others' })).toEqual([])
  })

  it('finds by the new composer after an edit', async () => {
    const [{ id }] = (await tess.get('/collections/allScores/scores?q=lieder')).body
    await tess.put(`/scores/${id}`, { composer: 'Maria Szymanowska' })
    expect(await find({ composer: 'szym' })).toEqual(['Lieder'])
    expect(await find({ composer: 'schu' })).toEqual([])
  })

  it('pages through the scores that match', async () => {
    const first = await tess.get('/collections/allScores/scores?sort=title&limit=1&owner=me')
    const second = await tess.get(linksOf(first.headers, app.url).next ?? '')
    expect([first.body[0].title, second.body[0].title]).toEqual(['For Clara', 'Lieder'])
  })

  it.each(['owner=nobody', 'privacy=secret'])('refuses an unknown value: %s', async (query) => {
    const { status, body } = await tess.get(`/collections/allScores/scores?${query}`)
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', query.split('=')[0]])
  })
})
