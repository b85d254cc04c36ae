import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { give, newGroup } from '../../../../test/support/sharing.ts'

describeApp('searchScorePeople', (app) => {
  let people: School
  let score: string

  const newScore = async (by: Person): Promise<string> => (await by.post('/scores', emptyPiano())).body.id
  const clientOf = async (person: Person): Promise<Client> => internalClient(await signedIn(app, person))
  const search = async (client: Client, q: string, on = score, more = '') => {
    const { status, body } = await client.get(`/scores/${on}/people?q=${encodeURIComponent(q)}${more}`)
    expect(status).toBe(200)
    return {
      people: body.people.map(({ username }: { username: string }) => username),
      groups: body.groups.map(({ name }: { name: string }) => name),
    }
  }

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore(people.tess)
  })

  it('finds members of the organization by parts of their names', async () => {
    const theo = await clientOf(people.theo)
    const on = await newScore(people.theo)
    expect((await search(theo, 'teacher te', on)).people).toEqual(['tess'])
    expect((await search(theo, 's', on)).people.sort()).toEqual(['sam', 'sol', 'tess'])
    expect((await search(theo, 'abel', on)).people).toEqual([])
    expect((await search(theo, '%', on)).people).toEqual([])
  })

  it('finds for students only those of their groups', async () => {
    const { sam, sol } = people
    const on = await newScore(sam)
    const client = await clientOf(sam)
    expect(await search(client, 's', on)).toEqual({ people: [], groups: [] })
    await newGroup(app, people.id, 'String quartet', sam, sol)
    expect(await search(client, 's', on)).toEqual({ people: ['sol'], groups: ['String quartet'] })
  })

  it('finds those who can read the score, to mention them', async () => {
    const { tess, theo, sam } = people
    await give(app, { on: 'score', id: score }, { user: theo.id }, 'read')
    const [his, hers] = [await clientOf(theo), await clientOf(tess)]
    expect((await search(hers, '', score, '&canRead=true')).people).toEqual(['theo'])
    expect((await search(his, '', score, '&canRead=true')).people).toEqual(['tess'])
    expect((await search(hers, sam.username, score, '&canRead=true')).people).toEqual([])
  })

  it('finds individual accounts by their whole username', async () => {
    const olga = await app.person('olga')
    const on = await newScore(olga)
    const client = await clientOf(olga)
    expect((await search(client, 'otto', on)).people).toEqual(['otto'])
    expect((await search(client, 'ott', on)).people).toEqual([])
    expect((await search(client, 'tess', on)).people).toEqual([])
  })

  it('needs the right to administer the score, or to read it for mentions', async () => {
    const his = await clientOf(people.theo)
    expect((await his.get(`/scores/${score}/people?q=s`)).status).toBe(403)
  })
})
