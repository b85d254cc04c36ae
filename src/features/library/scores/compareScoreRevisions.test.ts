import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeApp('compareScoreRevisions', (app) => {
  let tess: Person
  let score: string
  let first: string
  let second: string

  beforeAll(async () => {
    tess = await app.person('tess')
    const parts = ['Flute', 'Harp']
    const data = musicXml({ parts, measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 E4 G4 E4'] })
    const created = await tess.post('/scores', { data })
    score = created.body.id
    first = created.headers.get('x-flat-score-revision') as string
    const later = musicXml({ parts, measures: ['C4 D4 E4 F4', 'G4 F4 E4 C4', 'C4 E4 G4 E4', 'C4 C4 C4 C4'] })
    second = (await tess.post(`/scores/${score}/revisions`, { data: later })).body.id
  })

  it('lists the measures that were changed, added or removed', async () => {
    const { status, body } = await tess.get(`/scores/${score}/comparison?from=${first}&to=${second}`)
    expect(status).toBe(200)
    expect(body.measures).toMatchObject([
      { number: '2', change: 'changed', parts: [{ additions: 1, deletions: 1 }, { additions: 1 }] },
      { number: '4', change: 'added', parts: [] },
    ])
    const back = (await tess.get(`/scores/${score}/comparison?to=${first}`)).body
    expect(back.measures.map(({ change }: { change: string }) => change)).toEqual(['changed', 'removed'])
    const { body: json } = await tess.get(`/scores/${score}/revisions/last/json`)
    const [, changed] = json['score-partwise'].part[0].measure
    expect(body.measures[0].uuid).toBe(changed.$uuid)
  })

  it('finds no change between a revision and itself', async () => {
    expect((await tess.get(`/scores/${score}/comparison`)).body).toEqual({ parts: [], measures: [] })
  })

  it('refuses revisions of other scores', async () => {
    const other = (await tess.post('/scores', { data: musicXml() })).body.id
    const { status, body } = await tess.get(`/scores/${other}/comparison?from=${first}`)
    expect([status, body.code]).toEqual([404, 'REVISION_NOT_FOUND'])
  })
})
