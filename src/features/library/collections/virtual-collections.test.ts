import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { newCollection } from '../../../../test/support/collections.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give, newGroup, addCollectionScore } from '../../../../test/support/sharing.ts'

describeEachDatabase('collaborations and likes', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let school: School
  const scores: Record<string, string> = {}

  const newScore = async (owner: Person, title: string): Promise<string> =>
    (await owner.post('/scores', emptyPiano(title))).body.id
  const titles = (body: { title: string }[]) => body.map(({ title }) => title)

  beforeAll(async () => {
    school = await makeSchool(app)
    const { theo, sam, ada } = school
    const group = await newGroup(app, school.id, 'Choir', sam, theo)
    for (const title of ['Duet', 'Canon', 'Aria']) {
      scores[title] = await newScore(theo, title)
      clock.forward(minute)
    }
    await give(app, { on: 'score', id: scores.Duet as string }, { user: sam.id }, 'read')
    for (const title of ['Aria', 'Canon', 'Duet']) {
      await give(app, { on: 'score', id: scores[title] as string }, { group }, 'write')
    }
    scores.Own = await newScore(sam, 'Own')
    await give(app, { on: 'score', id: scores.Own }, { user: ada.id }, 'read')
    scores.Kept = await newScore(sam, 'Kept to himself')
    for (const title of ['Aria', 'Own', 'Canon', 'Kept']) await sam.put(`/scores/${scores[title]}/like`)
  })

  const inVirtual = async (alias: string, query = '', person = school.sam) =>
    titles((await person.get(`/collections/${alias}/scores?${query}`)).body)

  it('collaborations lists scores shared with the caller or the caller’s groups, and scores the caller has shared', async () => {
    expect(await inVirtual('collaborations', 'sort=title')).toEqual(['Aria', 'Canon', 'Duet', 'Own'])
    const [aria] = (await school.sam.get('/collections/collaborations/scores?sort=title')).body
    expect(aria).toEqual((await school.sam.get(`/scores/${scores.Aria}`)).body)
    expect(aria.rights).toMatchObject({ aclWrite: true, aclAdmin: false, collaboratorType: 'group' })
    expect(await inVirtual('collaborations', '', school.ada)).toEqual(['Own'])
    expect(await inVirtual('collaborations', 'sort=title', school.theo)).toEqual(['Aria', 'Canon', 'Duet'])
    expect(await inVirtual('collaborations', '', school.sol)).toEqual([])
  })

  it('likes lists the scores that the caller likes, regardless of the owner', async () => {
    expect(await inVirtual('likes', 'sort=title')).toEqual(['Aria', 'Canon', 'Kept to himself', 'Own'])
    expect(await inVirtual('likes', '', school.theo)).toEqual([])
  })

  it.each<[string, string, string[]]>([
    ['collaborations', '', ['Own', 'Aria', 'Canon', 'Duet']],
    ['collaborations', 'sort=creationDate&direction=asc', ['Duet', 'Canon', 'Aria', 'Own']],
    ['collaborations', 'sort=title&direction=desc', ['Own', 'Duet', 'Canon', 'Aria']],
    ['likes', '', ['Kept to himself', 'Own', 'Aria', 'Canon']],
    ['likes', 'sort=title&direction=desc', ['Own', 'Kept to himself', 'Canon', 'Aria']],
  ])('%s is sorted by %s, as a whole and page by page', async (alias, query, expected) => {
    expect(await inVirtual(alias, query)).toEqual(expected)
    const paged: string[] = []
    for (let at: string | undefined = `/collections/${alias}/scores?limit=3&${query}`; at; ) {
      const { body, headers } = await school.sam.get(at)
      paged.push(...titles(body))
      at = linksOf(headers, app.url).next
    }
    expect(paged).toEqual(expected)
    expect((await school.sam.get(`/collections/${alias}`)).body.contents.scoresCount).toBe(expected.length)
  })

  it('omit scores that the caller can no longer see and scores in the trash', async () => {
    const { tess, sol, otto } = school
    const [unreachable, trashed, foreign] = [
      await newScore(tess, 'Lost'),
      await newScore(tess, 'Trashed'),
      await newScore(tess, 'Left'),
    ]
    const inCollection = await newCollection(app, sol, 'Gathered')
    await addCollectionScore(app, inCollection, unreachable, tess)
    for (const score of [trashed, foreign])
      await give(app, { on: 'score', id: score }, { user: sol.id }, 'read')
    await give(app, { on: 'score', id: foreign }, { user: otto.id }, 'admin')
    for (const score of [unreachable, trashed, foreign]) {
      expect((await sol.put(`/scores/${score}/like`)).status).toBe(204)
    }
    expect(await inVirtual('likes', 'sort=title', sol)).toEqual(['Left', 'Lost', 'Trashed'])
    await app.ctx.transaction(async (tx) => {
      await tx.deleteFrom('collection_scores').where('score_id', '=', unreachable).execute()
    })
    await tess.delete(`/scores/${trashed}`)
    expect(await inVirtual('likes', '', sol)).toEqual(['Left'])
    expect(await inVirtual('collaborations', '', sol)).toEqual(['Left'])
    // Shared with a user outside the organization, who cannot reach its content.
    expect(await inVirtual('collaborations', '', otto)).toEqual([])
  })

  it('accept no scores', async () => {
    for (const collection of ['collaborations', 'likes']) {
      const { status, body } = await school.sam.post('/scores', { ...emptyPiano(), collection })
      expect([status, body.code]).toEqual([403, 'COLLECTION_ACCESS_DENIED'])
    }
  })
})
