import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import type { Client } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'
import { newTrack } from '../../../../test/support/tracks.ts'

describeEachDatabase('listScoreTracks', (databases) => {
  const app = useApp(databases)
  let people: School
  let score: string

  const newScore = async (by: Person, privacy = 'private'): Promise<string> =>
    (await by.post('/scores', { ...emptyPiano(), privacy })).body.id
  const listed = async (by: Client, on = score, query = '') =>
    (await by.get(`/scores/${on}/tracks${query}`)).body.map(({ id }: { id: string }) => id)

  beforeAll(async () => {
    people = await makeSchool(app)
    score = await newScore(people.otto, 'public')
  })

  it('lists the tracks of the score, newest first', async () => {
    const on = await newScore(people.tess)
    const tracks = [await newTrack(app, on), await newTrack(app, on), await newTrack(app, on)]
    await newTrack(app, score)
    const { status, body } = await people.tess.get(`/scores/${on}/tracks`)
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: string }) => id)).toEqual(tracks.toReversed())
    expect(body[0]).toEqual((await people.tess.get(`/scores/${on}/tracks/${tracks[2]}`)).body)
  })

  it('returns at most 16 MiB of points, newest first', async () => {
    const on = await newScore(people.tess)
    const tracks: string[] = []
    for (let n = 0; n < 17; n++) tracks.push(await newTrack(app, on, { points: '[]'.padEnd(2 ** 20) }))
    expect(await listed(people.tess, on)).toEqual(tracks.slice(1).toReversed())
  })

  it('returns an empty list for a score without tracks', async () => {
    expect((await people.tess.get(`/scores/${await newScore(people.tess)}/tracks`)).body).toEqual([])
  })

  it('lists the performances of the students for an assignment, submitted or not', async () => {
    const { id, tess, theo, sam, sol, tara, otto } = people
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const on = await newScore(tess)
    const fields = { type: 'performance', attachments: [{ score: on, sharingMode: 'performance' }] }
    const play = (by: Person) => newTrack(app, on, { creator_id: by.id, purpose: 'performanceSubmission' })
    const common = await newTrack(app, on)
    const before = await play(sam)
    const [first, second] = [
      await newAssignment(tess, schoolClass, fields),
      await newAssignment(tess, schoolClass, fields),
    ]
    const [ofSam, ofSol] = [await play(sam), await play(sol)]
    await play(tara)
    const of = ({ id: assignment }: { id: string }, by: Client = tess) =>
      listed(by, on, `?assignment=${assignment}`)
    for (const assignment of [first, second]) expect(await of(assignment)).toEqual([ofSol, ofSam])
    await newSubmission(sam, schoolClass, first, { submit: true })
    expect(await of(first)).toEqual([ofSol, ofSam])
    expect(await of(second)).toEqual([ofSol])
    expect(await of(first, sam)).toEqual([ofSam])
    expect(await of(second, sam)).toEqual([])
    expect(await listed(sam, on)).toEqual([ofSam, before, common])

    await give(app, { on: 'score', id: on }, { user: theo.id }, 'read')
    const refused = (by: Client, assignment: string) =>
      by.get(`/scores/${on}/tracks?assignment=${assignment}`)
    for (const reply of [await refused(tess, '0123456789abcdef01234567'), await refused(theo, first.id)]) {
      expect([reply.status, reply.body.code, reply.body.param]).toEqual([
        404,
        'ASSIGNMENT_NOT_FOUND',
        'assignment',
      ])
    }
    expect((await app.anonymous.get(`/scores/${score}/tracks?assignment=${first.id}`)).status).toBe(404)
    expect((await otto.get(`/scores/${score}/tracks?assignment=${first.id}`)).status).toBe(403)
  })

  it('refuses to list tracks made by the server, because there are none', async () => {
    const on = await newScore(people.tess)
    const track = await newTrack(app, on)
    const { status, body } = await people.tess.get(`/scores/${on}/tracks?listAutoTrack=true`)
    expect([status, body.code, body.param]).toEqual([400, 'TRACKS_NOT_GENERATED', 'listAutoTrack'])
    expect(await listed(people.tess, on, '?listAutoTrack=false')).toEqual([track])
  })

  it('accepts the sharing key', async () => {
    const { id, sharingKey } = (
      await people.otto.post('/scores', { ...emptyPiano(), privacy: 'privateLink' })
    ).body
    const track = await newTrack(app, id)
    expect((await app.anonymous.get(`/scores/${id}/tracks`)).status).toBe(404)
    expect(await listed(app.anonymous, id, `?sharingKey=${sharingKey}`)).toEqual([track])
    const { status, body } = await app.anonymous.get(`/scores/${id}/tracks/${track}?sharingKey=${sharingKey}`)
    expect([status, body.id]).toEqual([200, track])
  })

  describe('a track of a public score with Otto as owner, Vera as writer and Rita as administrator', () => {
    let viewers: Record<string, Client>

    beforeAll(async () => {
      const [vera, rita] = await Promise.all([app.person('vera'), app.person('rita')])
      await give(app, { on: 'score', id: score }, { user: vera.id }, 'write')
      await give(app, { on: 'score', id: score }, { user: rita.id }, 'admin')
      const { otto, sam, sol, tess, ada, abel } = people
      const accounts = await app.person('amos', { organization: people.id, role: 'accountAdmin' })
      viewers = { otto, vera, rita, sam, sol, tess, ada, amos: accounts, abel, stranger: app.anonymous }
    })

    it.each([
      ['common', 'completed', 'otto', 'otto vera rita sam sol tess ada amos abel stranger', ''],
      ['common', 'draft', 'otto', 'otto vera rita', ''],
      ['common', 'draft', 'sam', 'otto vera rita', ''],
      ['common', 'deleted', 'otto', '', 'otto vera rita'],
      ['performanceSubmission', 'draft', 'sam', 'otto rita sam tess ada amos', ''],
      ['performanceSubmission', 'completed', 'sam', 'otto rita sam tess ada amos', ''],
      ['performanceSubmission', 'completed', 'vera', 'otto vera rita', ''],
      ['performanceSubmission', 'deleted', 'sam', '', 'sam'],
    ] as const)('%s and %s, by %s: listed for «%s», and otherwise found by «%s» alone', async (...row) => {
      const [purpose, state, creator, inList, byId] = row
      const creator_id = (viewers[creator] as Person).id
      const track = await newTrack(app, score, { purpose, state, creator_id })
      const seen: { inList: string[]; byId: string[] } = { inList: [], byId: [] }
      for (const [name, viewer] of Object.entries(viewers)) {
        const isListed = (await listed(viewer)).includes(track)
        const { status, body } = await viewer.get(`/scores/${score}/tracks/${track}`)
        if (isListed) seen.inList.push(name)
        else if (status === 200) seen.byId.push(name)
        if (status !== 200) expect([isListed, status, body.code]).toEqual([false, 404, 'TRACK_NOT_FOUND'])
      }
      expect(seen).toEqual({
        inList: inList.split(' ').filter(Boolean),
        byId: byId.split(' ').filter(Boolean),
      })
    })
  })
})
