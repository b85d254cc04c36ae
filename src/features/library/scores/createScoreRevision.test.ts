import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { base64, emptyPiano, largeMusicXml, musicXml } from '../../../../test/support/scores.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { writeMxl } from '../../../music/formats/mxl/write.ts'

const one = ['C4 D4 E4 F4']
const two = ['C4 D4 E4 F4', 'G4 F4 E4 D4']

describeEachDatabase('createScoreRevision', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let tess: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
  })

  const newScore = async (fields = {}): Promise<string> =>
    (await tess.post('/scores', { data: musicXml({ title: 'First', measures: one }), ...fields })).body.id
  const fileOf = async (score: string, format: string) =>
    Buffer.from((await tess.get(`/scores/${score}/revisions/last/${format}`)).bytes).toString()
  const jsonOf = async (score: string, revision = 'last') =>
    (await tess.get(`/scores/${score}/revisions/${revision}/json`)).body['score-partwise']

  it('tells what it changed in a faulty file', async () => {
    const score = await newScore()
    const data = musicXml({ measures: two }).replace('</measure>', 'stray</measure>')
    const { status, body } = await tess.post(`/scores/${score}/revisions`, { data })
    expect([status, body.importWarnings]).toEqual([
      200,
      [{ line: expect.any(Number), message: expect.stringContaining('"stray"') }],
    ])
  })

  it('becomes the last revision and updates the facts of the score', async () => {
    const score = await newScore()
    clock.forward(minute)
    const sent = { data: musicXml({ measures: two }), description: 'A second measure', autosave: true }
    const { status, body } = await tess.post(`/scores/${score}/revisions`, sent)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      score,
      user: tess.id,
      description: 'A second measure',
      autosave: true,
      statistics: { additions: 4, deletions: 0 },
    })
    expect((await tess.get(`/scores/${score}/revisions/last`)).body).toEqual(body)
    const details = (await tess.get(`/scores/${score}`)).body
    expect(details).toMatchObject({ numberMeasures: 2, durationTime: 4, modificationDate: body.date })
  })

  it('keeps the title and texts that users wrote about the score', async () => {
    const score = await newScore({ title: 'Mine' })
    await tess.put(`/scores/${score}`, { composer: 'Someone', description: 'Words' })
    await tess.post(`/scores/${score}/revisions`, {
      data: musicXml({ title: 'Of the file', composer: 'Another' }),
    })
    const { body } = await tess.get(`/scores/${score}`)
    expect(body).toMatchObject({ title: 'Mine', composer: 'Someone', description: 'Words' })
  })

  it('does not change earlier revisions', async () => {
    const score = await newScore()
    const first = (await tess.get(`/scores/${score}/revisions/last`)).body
    const file = async (revision: string) =>
      (await tess.get(`/scores/${score}/revisions/${revision}/xml`)).bytes
    const before = await file('last')
    await tess.post(`/scores/${score}/revisions`, { data: musicXml({ measures: two }) })
    expect(await file(first.id)).toEqual(before)
    expect(await file('last')).not.toEqual(before)
    expect((await tess.get(`/scores/${score}/revisions/${first.id}`)).body).toEqual(first)
  })

  it('keeps the uuids of unchanged parts and measures', async () => {
    const parts = ['Violin', 'Piano']
    const score = await newScore({ data: musicXml({ parts, measures: two }) })
    const before = await jsonOf(score)
    const longer = {
      data: musicXml({ parts: ['Violin', 'Piano', 'Flute'], measures: [...two, 'C4 C4 C4 C4'] }),
    }
    await tess.post(`/scores/${score}/revisions`, longer)
    const after = await jsonOf(score)

    const identities = (elements: { $uuid: string }[]) => elements.map(({ $uuid }) => $uuid)
    expect(identities(after.part).slice(0, 2)).toEqual(identities(before.part))
    expect(new Set(identities(after.part)).size).toBe(3)
    expect(identities(after.part[0].measure).slice(0, 2)).toEqual(identities(before.part[0].measure))
    expect(new Set(identities(after.part[0].measure)).size).toBe(3)
  })

  it('continues an empty score from the builder', async () => {
    const { id } = (await tess.post('/scores', emptyPiano('Built'))).body
    const { status } = await tess.post(`/scores/${id}/revisions`, { data: musicXml() })
    expect(status).toBe(200)
    expect((await tess.get(`/scores/${id}`)).body).toMatchObject({ title: 'Built', numberMeasures: 1 })
  })

  it('accepts every import format and its own exported JSON', async () => {
    const score = await newScore()
    const json = await fileOf(score, 'json')
    const compressed = base64(await writeMxl(musicXml({ measures: two })))
    const changes = []
    for (const sent of [{ data: compressed, dataEncoding: 'base64' }, { data: json }]) {
      const { status, body } = await tess.post(`/scores/${score}/revisions`, sent)
      expect(status).toBe(200)
      changes.push(body.statistics)
    }
    expect(changes).toMatchObject([
      { additions: 4, deletions: 0 },
      { additions: 0, deletions: 4 },
    ])
    expect(await fileOf(score, 'json')).toBe(json)
  })

  it('counts added and deleted notes against the previous revision', async () => {
    const parts = ['Violin', 'Piano']
    const score = await newScore({ data: musicXml({ parts, measures: two }) })
    const changes = []
    for (const music of [
      // First, a new measure in front, in both parts. Then a changed note, which counts as one deletion and
      // one addition.
      { parts, measures: ['C5 C5 C5 C5', ...two] },
      { parts, measures: ['C5 C5 C5 C5', 'C4 D4 E4 G4', 'G4 F4 E4 D4'] },
      { parts: ['Piano'], measures: ['C5 C5 C5 C5', 'C4 D4 E4 G4', 'G4 F4 E4 D4'] },
      { parts: ['Piano'], measures: ['G4 F4 E4 D4'] },
      { parts: ['Piano'], measures: ['G4 F4 E4 D4'], title: 'Another title' },
    ]) {
      changes.push((await tess.post(`/scores/${score}/revisions`, { data: musicXml(music) })).body.statistics)
    }
    expect(changes).toMatchObject([
      { additions: 8, deletions: 0 },
      { additions: 2, deletions: 2 },
      { additions: 0, deletions: 12 },
      { additions: 0, deletions: 8 },
      { additions: 0, deletions: 0 },
    ])
  })

  describe('with unchanged contents', () => {
    it.each<[string, (score: string) => Promise<object>]>([
      ['the file that was sent before', async () => ({ data: musicXml({ title: 'First' }) })],
      [
        'the same file compressed',
        async () => ({ data: base64(await writeMxl(musicXml({ title: 'First' }))), dataEncoding: 'base64' }),
      ],
      ['the exported XML', async (score) => ({ data: await fileOf(score, 'xml') })],
      ['the exported JSON', async (score) => ({ data: await fileOf(score, 'json') })],
    ])('returns the last revision and changes nothing: %s', async (_what, file) => {
      const score = await newScore()
      const before = (await tess.get(`/scores/${score}`)).body
      const revisions = (await tess.get(`/scores/${score}/revisions`)).body
      clock.forward(minute)
      const sent = { ...(await file(score)), autosave: true }
      const { status, body } = await tess.post(`/scores/${score}/revisions`, sent)
      expect([status, body]).toEqual([200, revisions[0]])
      expect((await tess.get(`/scores/${score}/revisions`)).body).toEqual(revisions)
      expect((await tess.get(`/scores/${score}`)).body).toEqual(before)
    })

    it('saves a revision with a new description, which is kept', async () => {
      const score = await newScore()
      const sent = { data: await fileOf(score, 'json'), description: 'Ready for the concert' }
      const { body } = await tess.post(`/scores/${score}/revisions`, sent)
      expect(body).toMatchObject({
        description: sent.description,
        statistics: { additions: 0, deletions: 0 },
      })
      expect((await tess.get(`/scores/${score}/revisions`)).body).toMatchObject([{ id: body.id }, {}])
      expect((await tess.post(`/scores/${score}/revisions`, sent)).body).toEqual(body)
    })

    it('saves a file that equals an earlier revision but not the last', async () => {
      const score = await newScore()
      const first = await fileOf(score, 'json')
      await tess.post(`/scores/${score}/revisions`, { data: musicXml({ measures: two }) })
      await tess.post(`/scores/${score}/revisions`, { data: first })
      expect(await fileOf(score, 'json')).toBe(first)
      expect((await tess.get(`/scores/${score}/revisions`)).body).toHaveLength(3)
    })

    it('saves one revision of several simultaneous requests on two servers', async () => {
      await onTwoServers(databases, async ({ vera, atOther }) => {
        const score = (await vera.post('/scores', { data: musicXml() })).body.id
        const sent = { data: musicXml({ measures: two }) }
        const answers = await Promise.all(
          [vera, atOther, vera, atOther].map((client) => client.post(`/scores/${score}/revisions`, sent)),
        )
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
        const revisions = (await vera.get(`/scores/${score}/revisions`)).body
        expect(revisions).toHaveLength(2)
        expect(answers.map(({ body }) => body)).toEqual(Array(4).fill(revisions[0]))
      })
    })
  })

  it('refuses an invalid file and stores nothing of it', async () => {
    const score = await newScore()
    const broken = { data: musicXml().replace('</measure>', '</mesure>') }
    const { status, body } = await tess.post(`/scores/${score}/revisions`, broken)
    expect([status, body.code]).toEqual([400, 'INVALID_MUSICXML'])
    expect(body.message).toMatch(/line \d+/)
    expect((await tess.get(`/scores/${score}/revisions`)).body).toHaveLength(1)
  })

  it.each<[string, unknown, number]>([
    ['data', {}, 400],
    ['data', { data: 5 }, 400],
    ['data', { data: '!', dataEncoding: 'base64' }, 400],
    ['data', { data: largeMusicXml(10 * 1024 * 1024) }, 413],
    ['dataEncoding', { data: musicXml(), dataEncoding: 'hex' }, 400],
    ['autosave', { data: musicXml(), autosave: 'true' }, 400],
    ['description', { data: musicXml(), description: 5 }, 400],
  ])('names the invalid field %s', async (param, sent, expected) => {
    const score = await newScore()
    const { status, body } = await tess.post(`/scores/${score}/revisions`, sent)
    expect([status, body.param]).toEqual([expected, param])
  })

  it('refuses a score that is in the trash', async () => {
    const score = await newScore()
    await tess.delete(`/scores/${score}`)
    for (const data of [musicXml(), musicXml({ title: 'First' })]) {
      const { status, body } = await tess.post(`/scores/${score}/revisions`, { data })
      expect([status, body.code]).toEqual([409, 'SCORE_TRASHED'])
    }
  })

  it('saves nothing on top of another revision than the one in If-Match, except what is saved already', async () => {
    const score = await newScore()
    const { id: first } = (await tess.get(`/scores/${score}/revisions/last`)).body
    const save = async (measures: string[], ifMatch: string) =>
      tess.post(
        `/scores/${score}/revisions`,
        { data: musicXml({ measures }) },
        { headers: { 'If-Match': ifMatch } },
      )
    const saved = await save(two, first)
    expect([saved.status, (await save(two, first)).body]).toEqual([200, saved.body])
    const refused = await save([...two, 'C4 C4 C4 C4'], `"${first}"`)
    expect([refused.status, refused.body.code]).toEqual([412, 'REVISION_OUTDATED'])
    expect((await tess.get(`/scores/${score}/revisions/last`)).body).toEqual(saved.body)
    expect((await save([...two, 'C4 C4 C4 C4'], `"${saved.body.id}"`)).status).toBe(200)
  })

  it('saves simultaneous revisions one after another', async () => {
    const score = await newScore()
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        tess.post(`/scores/${score}/revisions`, { data: musicXml({ measures: two, composer: `${n}` }) }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const revisions = (await tess.get(`/scores/${score}/revisions`)).body
    expect((await tess.get(`/scores/${score}/revisions/last`)).body).toEqual(revisions[0])
    const additions = revisions.map(
      (revision: { statistics: { additions: number } }) => revision.statistics.additions,
    )
    expect(additions).toEqual([0, 0, 4, 4])
    const identities = new Set<string>()
    for (const { id } of revisions.slice(0, 3))
      identities.add((await jsonOf(score, id)).part[0].measure[1].$uuid)
    expect(identities.size).toBe(1)
  })

  describe('by other users', () => {
    it('returns 403 to readers of the score and 404 to users who cannot see it', async () => {
      const score = await newScore({ privacy: 'organizationPublic' })
      const seen = await people.sam.post(`/scores/${score}/revisions`, { data: musicXml() })
      expect([seen.status, seen.body.code]).toEqual([403, 'SCORE_ACCESS_DENIED'])
      const unseen = await people.otto.post(`/scores/${score}/revisions`, { data: musicXml() })
      expect([unseen.status, unseen.body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    })
  })
})
