import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { insertScore } from './store.ts'

describeApp('getUserScores', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const newScore = async (owner: Person, title: string, privacy: string) =>
    (await owner.post('/scores', { data: musicXml({ title }), privacy })).body.id
  const titles = (body: { title: string }[]) => body.map(({ title }) => title)

  it('lists only public scores, the last modified first', async () => {
    const { otto } = people
    for (const privacy of ['private', 'organizationPublic', 'privateLink'])
      await newScore(otto, privacy, privacy)
    const first = await newScore(otto, 'First', 'public')
    await newScore(otto, 'Second', 'public')
    const trashed = await newScore(otto, 'Trashed', 'public')
    await otto.delete(`/scores/${trashed}`)
    for (const viewer of [app.anonymous, people.tess, otto]) {
      const { status, body } = await viewer.get(`/users/${otto.id}/scores`)
      expect(status).toBe(200)
      expect(titles(body)).toEqual(['Second', 'First'])
    }
    await otto.put(`/scores/${first}`, { subtitle: 'Changed' })
    expect(titles((await app.anonymous.get(`/users/${otto.id}/scores`)).body)).toEqual(['First', 'Second'])
    expect(titles((await otto.get('/users/me/scores')).body)).toEqual(['First', 'Second'])
  })

  it('hides the scores from outsiders if the organization does not allow public scores', async () => {
    await allowPublicScores(app, people.id, true)
    await newScore(people.tess, 'For the school', 'public')
    await allowPublicScores(app, people.id, false)
    expect(titles((await people.sam.get(`/users/${people.tess.id}/scores`)).body)).toEqual(['For the school'])
    for (const viewer of [app.anonymous, people.otto, people.abel]) {
      const { status, body } = await viewer.get(`/users/${people.tess.id}/scores`)
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })

  it('shows the scores to outsiders if the organization allows public scores', async () => {
    const open = await app.organization('Conservatory', true)
    const vera = await app.person('vera', { organization: open })
    await newScore(vera, 'For all', 'public')
    await newScore(vera, 'For the house', 'organizationPublic')
    expect(titles((await app.anonymous.get(`/users/${vera.id}/scores`)).body)).toEqual(['For all'])
  })

  it('returns the rights of the caller, not those of the owner', async () => {
    const [score] = (await people.sam.get(`/users/${people.tess.id}/scores`)).body
    expect(score.rights).toMatchObject({ aclRead: true, aclWrite: false, aclAdmin: false })
  })

  describe('paginate', () => {
    let pia: Person
    const all = ['a', 'b', 'c', 'd', 'e']

    beforeAll(async () => {
      pia = await app.person('pia')
      for (const title of all) await newScore(pia, title, 'public')
    })

    it('is off by default, which returns the whole list regardless of the limit', async () => {
      const { headers, body } = await app.anonymous.get(`/users/${pia.id}/scores?limit=2&sort=title`)
      expect(titles(body)).toEqual(all)
      expect(headers.has('link')).toBe(false)
    })

    it('is off by default, which returns 1,000 scores and a link to the rest', async () => {
      const pablo = await app.person('pablo')
      const first = await newScore(pablo, 'First', 'public')
      const row = await app.ctx.db.read
        .selectFrom('scores')
        .selectAll()
        .where('id', '=', first)
        .executeTakeFirstOrThrow()
      await app.ctx.transaction(async (tx) => {
        for (let i = 1; i < 1001; i++) {
          await insertScore(tx, { ...row, id: app.ctx.newId(), modified_at: row.modified_at - i })
        }
      })
      const { headers, body } = await app.anonymous.get(`/users/${pablo.id}/scores`)
      expect(body).toHaveLength(1000)
      const { next = '', previous } = linksOf(headers, app.url)
      expect(previous).toBeUndefined()
      const rest = await app.anonymous.get(next)
      expect(rest.body).toHaveLength(1)
      expect(rest.headers.has('link')).toBe(false)
      expect(new Set([...body, ...rest.body].map(({ id }: { id: string }) => id)).size).toBe(1001)
    })

    it('returns one page at a time', async () => {
      const seen: string[] = []
      let path: string | undefined = `/users/${pia.id}/scores?paginate=true&limit=2&sort=title`
      for (let pages = 0; path && pages < 10; pages++) {
        const { body, headers } = await app.anonymous.get(path)
        expect(body.length).toBeLessThanOrEqual(2)
        seen.push(...titles(body))
        path = linksOf(headers, app.url).next
      }
      expect(seen).toEqual(all)
    })

    it.each(['0', '101', 'x', '2.5', ''])('refuses the limit %j', async (limit) => {
      const { status, body } = await app.anonymous.get(`/users/${pia.id}/scores?paginate=true&limit=${limit}`)
      expect([status, body.param]).toEqual([400, 'limit'])
    })
  })
})
