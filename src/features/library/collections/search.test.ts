import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeApp('listCollectionScores with q', (app) => {
  let tess: Person
  let collectionId: string
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    tess = await app.person('tess')
    collectionId = await newCollection(app, tess, 'Kept')
    const scores = [
      { title: 'Étude in E', composer: 'Clara Schumann', parts: ['Violin'] },
      { title: 'Groß und klein', composer: 'Fanny Mendelssohn', parts: ['Piano'] },
      { title: '100% Swing_time', composer: 'Back\\slash', parts: ['Piano'] },
      { title: '練習曲', composer: 'Anonymous', parts: ['Violin', 'Piano'] },
    ]
    for (const { title, ...about } of scores) {
      const data = musicXml({ title, ...about })
      ids[title] = (await tess.post('/scores', { data, collection: collectionId })).body.id
    }
    await tess.put(`/scores/${ids['Étude in E']}`, {
      subtitle: 'Lento',
      lyricist: 'Rückert',
      arranger: 'Žižka',
    })
    const otto = await app.person('otto')
    await otto.post('/scores', { data: musicXml({ title: 'Étude of another' }) })
  })

  const find = async (q: string, collection = 'allScores') => {
    const { status, body } = await tess.get(
      `/collections/${collection}/scores?sort=title&q=${encodeURIComponent(q)}`,
    )
    expect(status).toBe(200)
    return body.map(({ title }: { title: string }) => title)
  }

  it.each<[string, string, string[]]>([
    ['a word of the title', 'klein', ['Groß und klein']],
    ['part of a word', 'tud', ['Étude in E']],
    ['another case and no accents', 'ETUDE', ['Étude in E']],
    ['added accents', 'ḱléïn', ['Groß und klein']],
    ['ss for ß', 'gross', ['Groß und klein']],
    ['the composer', 'schumann', ['Étude in E']],
    ['the subtitle', 'lento', ['Étude in E']],
    ['the lyricist', 'ruckert', ['Étude in E']],
    ['the arranger', 'zizka', ['Étude in E']],
    ['an instrument in English', 'violin', ['Étude in E', '練習曲']],
    ['an instrument in German', 'klavier', ['100% Swing_time', 'Groß und klein', '練習曲']],
    ['another script', '練習', ['練習曲']],
    ['all words, in any order and position', 'mendelssohn gross', ['Groß und klein']],
    ['all words, with any amount of white space', '  clara \t étude ', ['Étude in E']],
    ['only if all words occur', 'clara gross', []],
    ['a word that no score has', 'polka', []],
  ])('finds by %s', async (_what, q, expected) => {
    expect(await find(q)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['%', ['100% Swing_time']],
    ['g_t', ['100% Swing_time']],
    ['s_i', []],
    ['k\\s', ['100% Swing_time']],
    ['\\', ['100% Swing_time']],
    ["'", []],
  ])('matches %s literally', async (q, expected) => {
    expect(await find(q)).toEqual(expected)
  })

  it('returns the whole list for an empty search', async () => {
    const all = ['100% Swing_time', 'Groß und klein', 'Étude in E', '練習曲'].sort()
    for (const q of ['', '  ']) expect((await find(q)).sort()).toEqual(all)
  })

  it('searches every kind of collection', async () => {
    await tess.put(`/scores/${ids['Groß und klein']}/like`)
    expect(await find('piano', collectionId)).toEqual(['100% Swing_time', 'Groß und klein', '練習曲'])
    expect(await find('gross', 'likes')).toEqual(['Groß und klein'])
    expect(await find('violin', 'likes')).toEqual([])
    const { id } = (await tess.post('/scores', { data: musicXml({ title: 'Thrown away' }) })).body
    await tess.delete(`/scores/${id}`)
    expect(await find('thrown')).toEqual([])
    expect(await find('thrown', 'trash')).toEqual(['Thrown away'])
  })

  it('sorts and pages the results like the whole collection', async () => {
    const paged: string[] = []
    for (
      let at: string | undefined = '/collections/allScores/scores?q=piano&sort=title&direction=desc&limit=2';
      at;
    ) {
      const { body, headers } = await tess.get(at)
      paged.push(...body.map(({ title }: { title: string }) => title))
      at = linksOf(headers, app.url).next
    }
    expect(paged).toEqual(['練習曲', 'Groß und klein', '100% Swing_time'])
  })

  it('finds a score by its changed texts', async () => {
    const { id } = (await tess.post('/scores', { data: musicXml({ title: 'Before' }) })).body
    await tess.put(`/scores/${id}`, { title: 'Afterwards', composer: 'Nadia B.' })
    expect(await find('before')).toEqual([])
    expect(await find('afterwards nadia')).toEqual(['Afterwards'])
    await tess.post(`/scores/${id}/revisions`, { data: musicXml({ parts: ['Oboe'] }) })
    expect(await find('oboe')).toEqual(['Afterwards'])
    await tess.delete(`/scores/${id}?now=true`)
  })

  it('refuses a search of more than 200 characters', async () => {
    expect(await find('🎻'.repeat(200))).toEqual([])
    const { status, body } = await tess.get(`/collections/allScores/scores?q=${'x'.repeat(201)}`)
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'q'])
  })
})
