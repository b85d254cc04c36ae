import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import type { Client } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeEachDatabase('getUserLikes', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let otto: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    otto = people.otto
  })

  const newScore = async (owner: Person, title: string, privacy = 'public'): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(title), privacy })).body.id
  /** Likes the scores one after another. */
  async function like(person: Person, ...scores: string[]): Promise<void> {
    for (const score of scores) {
      clock.forward(minute)
      expect((await person.put(`/scores/${score}/like`)).status).toBe(204)
    }
  }
  const titles = (body: { title: string }[]) => body.map(({ title }) => title)
  const likesOf = async (person: Person, viewer: Client = app.anonymous, query = '') =>
    (await viewer.get(`/users/${person.id}/likes${query}`)).body

  it('lists the scores that the user likes, the newest like first', async () => {
    const [a, b, c] = [await newScore(otto, 'a'), await newScore(otto, 'b'), await newScore(otto, 'c')]
    const olga = await app.person('olga')
    await like(olga, b, a, c)
    const { status, body } = await app.anonymous.get(`/users/${olga.id}/likes`)
    expect(status).toBe(200)
    expect(titles(body)).toEqual(['c', 'a', 'b'])
    expect(body[0]).toEqual((await app.anonymous.get(`/scores/${c}`)).body)
    expect((await olga.get('/users/me/likes')).body[0].me.isLiked).toBe(true)
    await like(olga, b)
    expect(titles(await likesOf(olga))).toEqual(['c', 'a', 'b'])
    await olga.delete(`/scores/${c}/like`)
    expect(titles(await likesOf(olga))).toEqual(['a', 'b'])
  })

  it('shows only public scores to a token with a profile scope', async () => {
    const oscar = await app.person('oscar')
    const own = await newScore(oscar, 'own', 'private')
    const open = await newScore(otto, 'open')
    await like(oscar, own, open)
    expect(titles(await likesOf(oscar, oscar))).toEqual(['open', 'own'])
    expect(titles(await likesOf(oscar, await app.withScopes(oscar, 'account.public_profile')))).toEqual([
      'open',
    ])
    const reader = await app.withScopes(oscar, 'account.public_profile', 'scores.readonly')
    expect(titles(await likesOf(oscar, reader))).toEqual(['open', 'own'])
  })

  it('shows each viewer only the scores that the viewer can see', async () => {
    const { tess, theo, sam } = people
    await allowPublicScores(app, people.id, true)
    const own = await newScore(theo, 'Private', 'private')
    const shared = await newScore(tess, 'Given', 'private')
    await give(app, { on: 'score', id: shared }, { user: theo.id }, 'read')
    await give(app, { on: 'score', id: shared }, { user: sam.id }, 'read')
    const house = await newScore(tess, 'House', 'organizationPublic')
    const everyone = await newScore(otto, 'Everyone')
    const trashed = await newScore(tess, 'Trashed', 'organizationPublic')
    await like(theo, own, shared, house, everyone, trashed)
    await tess.delete(`/scores/${trashed}`)

    expect(titles(await likesOf(theo, theo))).toEqual(['Everyone', 'House', 'Given', 'Private'])
    expect(titles(await likesOf(theo, sam))).toEqual(['Everyone', 'House', 'Given'])
    expect(titles(await likesOf(theo, people.sol))).toEqual(['Everyone', 'House'])
    for (const viewer of [otto, app.anonymous])
      expect(titles(await likesOf(theo, viewer))).toEqual(['Everyone'])
    await allowPublicScores(app, people.id, false)
    expect((await app.anonymous.get(`/users/${theo.id}/likes`)).status).toBe(404)
  })

  it('omits scores that the user can open only by a sharing key', async () => {
    const score = await newScore(otto, 'By key', 'privateLink')
    const { sharingKey } = (await otto.get(`/scores/${score}`)).body
    const oona = await app.person('oona')
    expect((await oona.put(`/scores/${score}/like?sharingKey=${sharingKey}`)).status).toBe(204)
    expect(await likesOf(oona, oona)).toEqual([])
    expect(titles(await likesOf(oona, otto))).toEqual(['By key'])
  })

  it('returns only the required fields with ids=true', async () => {
    const otis = await app.person('otis')
    const scores = [await newScore(otto, 'a'), await newScore(otto, 'b')]
    await like(otis, ...scores)
    const body = await likesOf(otis, otis, '?ids=true')
    expect(body.map(({ id }: { id: string }) => id)).toEqual(scores.toReversed())
    for (const name of ['likes', 'me', 'rights', 'composer', 'collections'])
      expect(body[0]).not.toHaveProperty(name)
    // Counts of likes may be updated between two requests, so only the names of the fields are compared.
    const fieldsOf = (list: object[]) => list.map((one) => Object.keys(one))
    expect(fieldsOf(await likesOf(otis, otis, '?ids=false'))).toEqual(fieldsOf(await likesOf(otis, otis)))
  })

  describe('paging', () => {
    let olaf: Person
    const all = ['1', '2', '3', '4', '5']

    beforeAll(async () => {
      olaf = await app.person('olaf')
      const scores: string[] = []
      for (const title of all) scores.push(await newScore(otto, title))
      // Some likes have the same time. Their ids then decide the order.
      await like(olaf, scores[0] as string)
      for (const score of scores.slice(1)) await olaf.put(`/scores/${score}/like`)
      for (const score of [...scores].reverse()) await people.sol.put(`/scores/${score}/like`)
    })

    it('goes to the last page and back, with and without ids=true', async () => {
      for (const ids of ['', '&ids=true']) {
        const pages: string[][] = []
        let last = ''
        for (let at: string | undefined = `/users/${olaf.id}/likes?limit=2${ids}`; at; ) {
          last = at
          const { body, headers } = await app.anonymous.get(at)
          pages.push(titles(body))
          at = linksOf(headers, app.url).next
        }
        expect(pages).toEqual([['5', '4'], ['3', '2'], ['1']])
        const { headers } = await app.anonymous.get(last)
        const { previous = '' } = linksOf(headers, app.url)
        expect(titles((await app.anonymous.get(previous)).body)).toEqual(['3', '2'])
      }
    })

    it.each(['limit=0', 'limit=101', 'next=abcd', 'previous=%7B%7D', 'ids=1x'])(
      'refuses %s',
      async (query) => {
        const { status, body } = await app.anonymous.get(`/users/${olaf.id}/likes?${query}`)
        expect([status, body.param]).toEqual([400, query.split('=')[0]])
      },
    )
  })
})
