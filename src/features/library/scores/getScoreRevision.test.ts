import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeApp('getScoreRevision', (app) => {
  let people: School
  let tess: Person
  let score: string
  let first: string
  let second: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    const created = await tess.post('/scores', { data: musicXml() })
    score = created.body.id
    first = created.headers.get('x-flat-score-revision') as string
    second = (await tess.post(`/scores/${score}/revisions`, { data: musicXml({ title: 'Second' }) })).body.id
  })

  it('returns every revision by its id', async () => {
    for (const id of [first, second]) {
      const { status, body } = await tess.get(`/scores/${score}/revisions/${id}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, score, user: tess.id, collaborators: [tess.id] })
    }
  })

  it('returns the newest revision for `last`', async () => {
    expect((await tess.get(`/scores/${score}/revisions/last`)).body.id).toBe(second)
  })

  it('returns 404 for a revision of another score', async () => {
    const other = (await tess.post('/scores', { data: musicXml() })).body.id
    for (const id of [first, '0123456789abcdef01234567', 'first', 'LAST']) {
      const { status, body } = await tess.get(`/scores/${other}/revisions/${id}`)
      expect([status, body.code]).toEqual([404, 'REVISION_NOT_FOUND'])
    }
  })

  it('returns 404 for a score the caller cannot see', async () => {
    const { status, body } = await people.otto.get(`/scores/${score}/revisions/${first}`)
    expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
  })

  it('accepts the sharing key', async () => {
    const shared = (await tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    const path = `/scores/${shared.id}/revisions/last`
    expect((await app.anonymous.get(path)).status).toBe(404)
    expect((await people.sam.get(`${path}?sharingKey=${shared.sharingKey}`)).status).toBe(200)
  })
})
