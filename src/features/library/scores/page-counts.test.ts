import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('a page that does not exist', (databases) => {
  const app = useApp(databases)
  let otto: Person

  beforeAll(async () => {
    otto = await app.person('otto')
  })
  afterEach(() => vi.restoreAllMocks())

  const newScore = async (measures = 1): Promise<string> => {
    const data = musicXml({ measures: new Array(measures).fill('C4 D4 E4 F4'), parts: ['Flute', 'Harp'] })
    return (await otto.post('/scores', { data })).body.id
  }
  const outcome = async (score: string, query: string) => {
    const { status, body } = await otto.get(`/scores/${score}/revisions/last/svg?${query}`)
    return [status, body?.param, body?.message]
  }

  it('is refused without any work if it is far above the number of measures', async () => {
    const score = await newScore()
    const writing = vi.spyOn(app.ctx.notation, 'write')
    expect(await outcome(score, 'page=52')).toEqual([400, 'page', 'There is no page 52.'])
    expect(writing).not.toHaveBeenCalled()
  })

  it('is refused without any work when the number of pages is known', async () => {
    const score = await newScore()
    const writing = vi.spyOn(app.ctx.notation, 'write')
    const missing = (page: number) => [400, 'page', `The score has 1 page; there is no page ${page}.`]
    expect(await outcome(score, 'page=2')).toEqual(missing(2))
    expect(writing).toHaveBeenCalledTimes(1)
    expect(await outcome(score, 'page=3')).toEqual(missing(3))
    expect(await outcome(score, 'page=2&url=true')).toEqual(missing(2))
    expect(writing).toHaveBeenCalledTimes(1)
    expect((await outcome(score, 'page=1'))[0]).toBe(200)
  })

  it('is counted for each selection of parts and each revision', async () => {
    const score = await newScore(120)
    const { body } = await otto.get(`/scores/${score}/revisions/last/json`)
    const part = body['score-partwise'].part[0].$uuid
    const pagesOf = async (query: string) => (await outcome(score, `page=150&${query}`))[2]
    const both = await pagesOf('')
    expect(both).toMatch(/^The score has \d+ pages/)
    expect(await pagesOf(`parts=${part}`)).not.toBe(both)
    expect(await pagesOf('')).toBe(both)
    await otto.post(`/scores/${score}/revisions`, { data: musicXml() })
    expect((await outcome(score, 'page=2'))[2]).toBe('The score has 1 page; there is no page 2.')
  })
})
