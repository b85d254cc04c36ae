import { beforeAll, expect, it, vi } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { largeMusicXml, musicXml } from '../../../../test/support/scores.ts'

describeApp('getTask', (app) => {
  let people: School
  let task: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const sent = { data: largeMusicXml(1024 * 1024), supportsTasks: true }
    task = (await people.tess.post('/scores', sent)).body.id
    await app.jobsDone()
  })

  it('returns the state and the result of the task', async () => {
    const { status, body } = await people.tess.get(`/tasks/${task}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: task,
      type: 'score-save',
      state: 'done',
      score: expect.stringMatching(/^[0-9a-f]{24}$/),
      revision: expect.stringMatching(/^[0-9a-f]{24}$/),
      progress: { percent: 100 },
      errorHistory: [],
      isCancellable: false,
    })
    const [created, modified, done] = [body.creationDate, body.modificationDate, body.doneDate].map(
      Date.parse,
    )
    expect(created).toBeLessThanOrEqual(done as number)
    expect(modified).toBe(done)
  })

  it('says what the task is doing, as its job reports it', async () => {
    const { id: score } = (await people.tess.post('/scores', { data: musicXml() })).body
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { write } = app.ctx.notation
    vi.spyOn(app.ctx.notation, 'write').mockImplementationOnce(async (...sent) => {
      await held
      return write(...sent)
    })
    const { id } = (await people.tess.post(`/scores/${score}/revisions/last/pdf/task`)).body
    const ended = app.jobsDone()
    const progress = async () => (await people.tess.get(`/tasks/${id}`)).body.progress
    // The progress of a job is stored about once a second.
    await expect.poll(progress, { timeout: 10_000 }).toEqual({ percent: 1, text: 'Writing the file' })
    release()
    await ended
    expect((await progress()).percent).toBe(100)
    vi.restoreAllMocks()
  })

  it('returns the final state after its job was deleted', async () => {
    const sent = { data: largeMusicXml(1024 * 1024).replace('</part>', ''), supportsTasks: true }
    const failed = (await people.tess.post('/scores', sent)).body.id
    await app.jobsDone()
    expect((await people.tess.get(`/tasks/${failed}`)).body.state).toBe('error')
    await app.ctx.transaction(async (tx) => {
      await tx.deleteFrom('jobs').execute()
    })
    expect((await people.tess.get(`/tasks/${task}`)).body).toMatchObject({
      state: 'done',
      progress: { percent: 100 },
    })
    expect((await people.tess.get(`/tasks/${failed}`)).body).toMatchObject({
      state: 'error',
      progress: { percent: 0 },
    })
  })

  it('returns 404 after the score was deleted', async () => {
    const { tess } = people
    const { id } = (await tess.post('/scores', { data: musicXml() })).body
    const exporting = (await tess.post(`/scores/${id}/revisions/last/pdf/task`)).body.id
    await app.jobsDone()
    await tess.delete(`/scores/${id}?now=true`)
    await app.jobsDone()
    expect((await tess.get(`/tasks/${exporting}`)).body.code).toBe('TASK_NOT_FOUND')
  })

  it('returns the URL of the result only while the caller can see the score', async () => {
    const { tess, sam } = people
    const { id, sharingKey } = (await tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    const path = `/scores/${id}/revisions/last/pdf/task?sharingKey=${sharingKey}`
    const exporting = (await sam.post(path)).body.id
    await app.jobsDone()
    const result = async () => (await sam.get(`/tasks/${exporting}`)).body
    expect(await result()).toMatchObject({ state: 'done', result: { url: expect.any(String) } })
    await tess.put(`/scores/${id}`, { sharingKey: 'f0'.repeat(64) })
    expect((await result()).result).toBeUndefined()
    await tess.put(`/scores/${id}`, { privacy: 'organizationPublic' })
    expect((await result()).result.url).toEqual(expect.any(String))
    await tess.delete(`/scores/${id}`)
    expect((await result()).result).toBeUndefined()
  })

  it('returns the same 404 for another user’s task as for a missing one', async () => {
    const missing = await people.sam.get('/tasks/0123456789abcdef01234567')
    expect([missing.status, missing.body.code]).toEqual([404, 'TASK_NOT_FOUND'])
    for (const person of [people.sam, people.ada, people.otto]) {
      const { status, body } = await person.get(`/tasks/${task}`)
      expect(status).toBe(404)
      expect(body).toEqual(missing.body)
    }
    expect((await people.tess.get('/tasks/nonsense')).body).toEqual(missing.body)
  })
})
