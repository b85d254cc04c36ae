import { type FlatClient, FlatNotFoundError, FlatRateLimitError, FlatValidationError } from 'flat-api'
import { beforeAll, expect, it } from 'vitest'
import { writeMxl } from '../../src/music/formats/mxl/write.ts'
import { describeApp, type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { officialClient, recordingClients, scenarioOperations } from '../support/official-client.ts'
import { base64, musicXml } from '../support/scores.ts'

describeApp('importing a score and exporting it in every format with the official client', (app) => {
  let tess: Person
  let client: FlatClient
  let score: string
  const { clientOf, called } = recordingClients(app)

  beforeAll(async () => {
    const school = await app.organization('School', true)
    tess = await app.person('tess', {
      organization: school,
      role: 'teacher',
      firstname: 'Tess',
      lastname: 'Teacher',
    })
    client = clientOf(tess)
  })

  const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())

  it('returns the authenticated user', async () => {
    const me = await client.account.getAuthenticatedUser()
    expect(me).toMatchObject({ id: tess.id, username: 'tess', organizationRole: 'teacher' })
    expect(me.registrationDate).toBeInstanceOf(Date)
    expect((await client.account.getAuthenticatedUser({ onlyId: true })).id).toBe(tess.id)
    expect(await client.users.getUser({ user: tess.id })).toMatchObject({ printableName: 'Tess Teacher' })
  })

  it('creates an empty score', async () => {
    const created = await client.scores.createScore({
      body: {
        title: 'Empty',
        builderData: {
          scoreData: {
            fifths: 2,
            nbBeats: 3,
            beatType: 4,
            instruments: [{ group: 'strings', instrument: 'violin' }],
          },
          layoutData: { lengthUnit: 'inch', pageHeight: 11, pageWidth: 8.5 },
        },
      },
    })
    expect(created).toMatchObject({
      title: 'Empty',
      privacy: 'private',
      instruments: ['strings.violin'],
      collaborators: [{ collaboratorType: 'owner', aclAdmin: true }],
    })
    expect(created.creationDate).toBeInstanceOf(Date)
    expect(created.rights?.aclAdmin).toBe(true)
  })

  it('creates scores from MusicXML, compressed MusicXML and MIDI', async () => {
    const data = musicXml({
      title: 'Round',
      parts: ['Flute', 'Violin'],
      measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'],
    })
    const response = await client.scores.createScoreRaw({ body: { data } })
    const created = await response.value()
    expect(created).toMatchObject({ title: 'Round', numberMeasures: 2, durationTime: 4 })
    score = created.id
    const last = await client.scores.getScoreRevision({ score, revision: 'last' })
    expect(response.raw.headers.get('x-flat-score-revision')).toBe(last.id)

    const compressed = await client.scores.createScore({
      body: { data: base64(await writeMxl(data)), dataEncoding: 'base64', filename: 'round.mxl' },
    })
    expect(compressed).toMatchObject({ title: 'Round', numberMeasures: 2 })

    const midi = await bytesOf(
      await client.scores.getScoreRevisionData({ score, revision: 'last', format: 'midi' }),
    )
    const played = await client.scores.createScore({
      body: { title: 'From MIDI', data: base64(midi), dataEncoding: 'base64', filename: 'round.mid' },
    })
    expect(played).toMatchObject({ title: 'From MIDI', numberMeasures: 2 })
    expect(played.instruments).toHaveLength(2)
  })

  it('reads and edits the metadata of a score', async () => {
    const edited = await client.scores.editScore({
      score,
      body: { title: 'Round in C', composer: 'T. Teacher', tags: ['round', 'easy'], license: 'cc-by-sa' },
    })
    expect(edited).toMatchObject({ title: 'Round in C', composer: 'T. Teacher', tags: ['round', 'easy'] })
    expect(await client.scores.getScore({ score })).toEqual(edited)
    expect((await client.scores.editScore({ score, body: { composer: null } })).composer).toBeUndefined()
  })

  it.each<
    [
      'json' | 'xml' | 'mxl' | 'midi' | 'abc' | 'mp3' | 'wav' | 'thumbnail.png' | 'synchronizationPoints',
      string,
    ]
  >([
    ['json', '{"score-partwise"'],
    ['xml', '<?xml'],
    ['mxl', 'PK'],
    ['midi', 'MThd'],
    ['abc', '%abc-2.1'],
    ['wav', 'RIFF'],
    ['mp3', '\xff'],
    ['thumbnail.png', '\x89PNG'],
    ['synchronizationPoints', '['],
  ])('exports a score as %s', async (format, magic) => {
    const request = { score, revision: 'last', format } as const
    const bytes = await bytesOf(await client.scores.getScoreRevisionData(request))
    expect(Buffer.from(bytes).toString('latin1', 0, magic.length)).toBe(magic)

    const linked = await client.scores.getScoreRevisionData({ ...request, url: true })
    const { url } = JSON.parse(await linked.text())
    expect(await bytesOf(await (await fetch(url)).blob())).toEqual(bytes)
  })

  it('returns a specific error for an unavailable format', async () => {
    const request = client.scores.getScoreRevisionData({ score, revision: 'last', format: 'flat' })
    await expect(request).rejects.toMatchObject({ constructor: FlatValidationError, status: 400 })
  })

  it('exports single parts', async () => {
    const json = JSON.parse(
      await (await client.scores.getScoreRevisionData({ score, revision: 'last', format: 'json' })).text(),
    )
    const [, violin] = json['score-partwise'].part
    const xml = await client.scores.getScoreRevisionData({
      score,
      revision: 'last',
      format: 'xml',
      parts: violin.$uuid,
    })
    const names = [...(await xml.text()).matchAll(/<part-name>(.*?)</g)].map(([, name]) => name)
    expect(names).toEqual(['Violin'])
  })

  it.each(['mp3', 'wav'] as const)(
    'exports %s in a task, polls the task and downloads the result',
    async (format) => {
      let task = await client.scores.createExportTask({ score, revision: 'last', format, body: {} })
      expect(task).toMatchObject({ state: expect.stringMatching(/created|doing|done/), score })
      await app.jobsDone()
      task = await client.tasks.getTask({ task: task.id })
      expect(task).toMatchObject({ state: 'done', progress: { percent: 100 } })
      const response = await fetch(task.result?.url ?? '')
      expect(response.headers.get('content-type')).toBe(`audio/${format}`)
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    },
  )

  it('saves revisions and lists them', async () => {
    const data = musicXml({
      parts: ['Flute', 'Violin'],
      measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4', 'C4 C4 C4 C4'],
    })
    const saved = await client.scores.createScoreRevision({
      score,
      body: { data, description: 'One measure more' },
    })
    const [last, first] = await client.scores.getScoreRevisions({ score })
    const [startDate, endDate] = [first?.date, saved.date]
    expect(saved.statistics).toEqual({ additions: 8, deletions: 0, startDate, endDate })
    expect(last).toEqual(saved)
    expect(first?.date.getTime()).toBeLessThanOrEqual(saved.date.getTime())
    expect((await client.scores.getScore({ score })).numberMeasures).toBe(3)
  })

  it('opens collections by their aliases', async () => {
    const list = await client.collections.listCollections()
    expect(list.map(({ type }) => type)).toEqual(['allScores', 'collaborations', 'likes', 'app'])
    for (const collection of ['app', 'root', 'allScores']) {
      expect((await client.collections.getCollection({ collection })).type).toBe(collection)
      const scores = await client.collections.listCollectionScores({ collection })
      expect(scores.map(({ id }) => id)).toContain(score)
    }
  })

  it('pages through a long list without missing or repeating a score', async () => {
    const titles = Array.from({ length: 12 }, (_, i) => `Exercise ${i + 10}`)
    for (const title of titles) {
      await client.scores.createScore({
        body: {
          title,
          builderData: { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } },
        },
      })
    }
    const seen: { id: string; title: string }[] = []
    const pages = { collection: 'app', sort: 'title', direction: 'asc', limit: 5 }
    for await (const one of client.paginate<{ id: string; title: string }>('listCollectionScores', pages))
      seen.push(one)
    expect(seen.map(({ title }) => title).filter((title) => title.startsWith('Exercise'))).toEqual(titles)
    expect(seen).toHaveLength(16)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(16)
  })

  it('lists the public scores of a user', async () => {
    await client.scores.editScore({ score, body: { privacy: 'public' } })
    expect(await client.users.getUserScores({ user: 'me' })).toHaveLength(1)
    const [shown] = await client.users.getUserScores({ user: tess.id, paginate: true, limit: 1 })
    expect(shown?.id).toBe(score)
  })

  it('deletes a score, finds it in the trash and restores it', async () => {
    await client.scores.deleteScore({ score })
    expect((await client.scores.getScore({ score })).scheduledDeletionDate).toBeInstanceOf(Date)
    expect(
      (await client.collections.listCollectionScores({ collection: 'trash' })).map(({ id }) => id),
    ).toEqual([score])
    await client.scores.untrashScore({ score })
    expect(await client.collections.listCollectionScores({ collection: 'trash' })).toEqual([])
    expect((await client.scores.getScore({ score })).scheduledDeletionDate).toBeUndefined()
  })

  it('deletes a score permanently', async () => {
    await client.scores.deleteScore({ score, now: true })
    await expect(client.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
  })

  it('has called every operation on its list', () => {
    expect([...called].sort()).toEqual(scenarioOperations['score-import-and-export'])
  })
})

const limited = useApp(usingDatabases('sqlite'), { rateLimitAuthenticated: '1' })

it('the official client handles the rate limit', async () => {
  const limitedClient = officialClient(limited, await limited.person('otto'))
  await limitedClient.account.getAuthenticatedUser()
  await expect(limitedClient.account.getAuthenticatedUser()).rejects.toMatchObject({
    constructor: FlatRateLimitError,
    limit: 1,
    remaining: 0,
    reset: expect.any(Number),
  })
})
