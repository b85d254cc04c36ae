import { beforeAll, expect, it, vi } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'

describeApp('createExportTask', (app) => {
  let people: School
  let tess: Person
  let score: string
  let revision: string

  beforeAll(async () => {
    people = await makeSchool(app)
    tess = people.tess
    const created = await tess.post('/scores', {
      data: musicXml({ title: 'Trio', parts: ['Flute', 'Violin', 'Cello'] }),
    })
    score = created.body.id
    revision = created.headers.get('x-flat-score-revision') as string
  })

  const ask = (format: string, body?: unknown) =>
    tess.post(`/scores/${score}/revisions/last/${format}/task`, body)
  const taskNow = async (id: string) => (await tess.get(`/tasks/${id}`)).body

  it.each<[string, string, string]>([
    ['wav', 'audio/wav', 'RIFF'],
    ['mp3', 'audio/mp3', ''],
    ['pdf', 'application/pdf', '%PDF'],
    ['abc', 'text/vnd.abc', '%abc-2.1'],
  ])(
    'creates a file in the format %s in the background and returns its URL',
    async (format, mediaType, magic) => {
      const { status, body } = await ask(format)
      expect(status).toBe(200)
      expect(body).toMatchObject({ type: 'audio-export', format, score, revision, isCancellable: false })
      expect(['created', 'doing']).toContain(body.state)
      expect(body.progress.percent).toBeLessThan(100)

      await app.jobsDone()
      const task = await taskNow(body.id)
      expect(task).toMatchObject({ id: body.id, state: 'done', progress: { percent: 100 }, errorHistory: [] })
      expect(Date.parse(task.doneDate)).toBeGreaterThanOrEqual(Date.parse(task.creationDate))
      const response = await fetch(task.result.url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe(mediaType)
      expect(response.headers.get('content-disposition')).toContain(`Trio.${format}`)
      const bytes = new Uint8Array(await response.arrayBuffer())
      expect(bytes.length).toBeGreaterThan(100)
      expect(Buffer.from(bytes).toString('latin1', 0, magic.length)).toBe(magic)

      // The stored export is also the response to a direct request.
      expect((await tess.get(`/scores/${score}/revisions/last/${format}`)).bytes).toEqual(bytes)
    },
  )

  it('is done on behalf of the account that asked for it', async () => {
    const { write } = app.ctx.notation
    const callers: string[] = []
    vi.spyOn(app.ctx.notation, 'write').mockImplementationOnce(async (score, format, waiters) => {
      callers.push(...waiters.callers)
      return write(score, format, waiters)
    })
    const own = (await tess.post('/scores', { data: musicXml() })).body.id
    await tess.post(`/scores/${own}/revisions/last/pdf/task`)
    await app.jobsDone()
    expect(callers).toEqual([tess.id])
    vi.restoreAllMocks()
  })

  it('exports only the requested parts', async () => {
    const { body } = await tess.get(`/scores/${score}/revisions/last/json`)
    const [flute] = body['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)
    const good = (await ask('wav', { parts: [flute] })).body.id
    await app.jobsDone()
    expect((await taskNow(good)).state).toBe('done')
  })

  it('exports all parts for an empty list', async () => {
    const { body } = await ask('abc', { parts: [] })
    await app.jobsDone()
    const exported = await (await fetch((await taskNow(body.id)).result.url)).text()
    for (const part of ['Flute', 'Violin', 'Cello']) expect(exported).toContain(part)
    const all = await tess.get(`/scores/${score}/revisions/last/abc?parts=`)
    expect([all.status, Buffer.from(all.bytes).toString()]).toEqual([200, exported])
  })

  it.each([
    ['a file', { data: musicXml() }],
    ['a builder', emptyPiano()],
  ])('refuses an unknown part of a score from %s without creating a task', async (_, sent) => {
    const { id } = (await tess.post('/scores', sent)).body
    const [part] = (await tess.get(`/scores/${id}/revisions/last/json`)).body['score-partwise'].part
    const path = `/scores/${id}/revisions/last/wav/task`
    const unknown = await tess.post(path, { parts: [part.$uuid, 'P1'] })
    expect([unknown.status, unknown.body.param]).toEqual([400, 'parts'])
    expect(unknown.body.message).toContain('P1')
    expect((await tess.post(path, { parts: [] })).status).toBe(200)
    expect((await tess.post(path, { parts: [part.$uuid] })).status).toBe(200)
  })

  it.each<[string, string, unknown]>([
    ['format', 'practicefirst', undefined],
    ['format', 'midi', undefined],
    ['format', 'flac', undefined],
    ['parts', 'mp3', { parts: 'P1' }],
    ['parts.0', 'mp3', { parts: [1] }],
  ])('names the invalid field %s', async (param, format, sent) => {
    const { status, body } = await ask(format, sent)
    expect([status, body.param]).toEqual([400, param])
  })

  it('requires read access to the score', async () => {
    const path = `/scores/${score}/revisions/last/mp3/task`
    const { status, body } = await people.otto.post(path)
    expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
    const missing = await tess.post(`/scores/${score}/revisions/0123456789abcdef01234567/mp3/task`)
    expect([missing.status, missing.body.code]).toEqual([404, 'REVISION_NOT_FOUND'])
    expect((await app.anonymous.post(path)).status).toBe(401)
  })

  it('accepts the sharing key', async () => {
    const shared = (await tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    const path = `/scores/${shared.id}/revisions/last/wav/task?sharingKey=${shared.sharingKey}`
    const { status, body } = await people.sam.post(path)
    expect(status).toBe(200)
    await app.jobsDone()
    expect((await people.sam.get(`/tasks/${body.id}`)).body.state).toBe('done')
  })
})
