import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Waiters } from '../../src/lib/shared-runs.ts'
import { type Person, useApp } from '../support/app.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { logLines } from '../support/log-lines.ts'
import { musicXml } from '../support/scores.ts'

describeEachDatabase('a client that disconnects', (databases) => {
  const log = logLines()
  const app = useApp(databases, { logLevel: 'info' }, { logTo: log })
  let otto: Person
  let nina: Person

  beforeAll(async () => {
    ;[otto, nina] = await Promise.all([app.person('otto'), app.person('nina')])
  })
  afterEach(() => vi.restoreAllMocks())

  const newScore = async () =>
    (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body.id as string
  const pdfOf = (score: string) => `/scores/${score}/revisions/last/pdf`

  /** Lets the next export or import start, and end only when the test says so or its signal is aborted. */
  function heldWork(method: 'read' | 'write') {
    const started = Promise.withResolvers<Waiters>()
    const release = Promise.withResolvers<void>()
    const { [method]: original } = app.ctx.notation
    vi.spyOn(app.ctx.notation, method).mockImplementationOnce(async (...parameters: unknown[]) => {
      const waiters = parameters.at(-1) as Waiters
      started.resolve(waiters)
      waiters.signal?.addEventListener('abort', () => release.reject(waiters.signal?.reason))
      await release.promise
      return (original as (...parameters: unknown[]) => Promise<never>)(...parameters)
    })
    return { started: started.promise, release: release.resolve, ended: release.promise }
  }

  it('no longer waits for an engine', async () => {
    const work = heldWork('write')
    const client = new AbortController()
    const reply = otto.get(pdfOf(await newScore()), { signal: client.signal })
    const waiters = await work.started
    expect([...waiters.callers]).toEqual([otto.id])
    client.abort()
    await expect(reply).rejects.toThrow()
    await expect(work.ended).rejects.toMatchObject({ code: 'CLIENT_DISCONNECTED' })
  })

  it('does not take a file from others who wait for it', async () => {
    const score = await newScore()
    const work = heldWork('write')
    const client = new AbortController()
    const gone = app.anonymous.get(pdfOf(score), { signal: client.signal })
    const { callers, signal } = await work.started
    expect([...callers]).toEqual(['127.0.0.1'])
    const stays = nina.get(pdfOf(score))
    await expect.poll(() => [...callers]).toEqual(['127.0.0.1', nina.id])
    client.abort()
    await expect(gone).rejects.toThrow()
    await expect.poll(() => [...callers]).toEqual([nina.id])
    expect(signal?.aborted).toBe(false)
    work.release()
    expect((await stays).status).toBe(200)
    expect(app.ctx.notation.write).toHaveBeenCalledTimes(1)
  })

  it('leaves nothing of an upload that is still being read, and can repeat it with the same key', async () => {
    const upload = (init: RequestInit = {}) =>
      nina.post(
        '/scores',
        { data: musicXml({ title: 'Again' }) },
        {
          ...init,
          headers: { 'Idempotency-Key': 'again' },
        },
      )
    const titles = async () =>
      (await nina.get('/collections/allScores/scores')).body.map(({ title }: { title: string }) => title)
    const work = heldWork('read')
    const client = new AbortController()
    const gone = upload({ signal: client.signal })
    await work.started
    client.abort()
    await expect(gone).rejects.toThrow()
    await expect(work.ended).rejects.toMatchObject({ code: 'CLIENT_DISCONNECTED' })
    expect(await titles()).toEqual([])
    await expect.poll(async () => (await upload()).status).toBe(200)
    expect(await titles()).toEqual(['Again'])
  })

  it('gets its upload stored if the write had begun', async () => {
    const sol = await app.person('sol')
    const client = new AbortController()
    const { transaction } = app.ctx.db
    vi.spyOn(app.ctx.db, 'transaction').mockImplementationOnce(async (...parameters) => {
      client.abort()
      return transaction(...parameters)
    })
    const gone = sol.post('/scores', { data: musicXml({ title: 'Stored' }) }, { signal: client.signal })
    await expect(gone).rejects.toThrow()
    const stored = async () => (await sol.get('/collections/allScores/scores')).body
    await expect.poll(stored).toMatchObject([{ title: 'Stored' }])
  })

  it('leaves no error in the log', async () => {
    const work = heldWork('write')
    const client = new AbortController()
    const path = pdfOf(await newScore())
    log.take()
    const reply = otto.get(path, { signal: client.signal })
    await work.started
    client.abort()
    await expect(reply).rejects.toThrow()
    await expect(work.ended).rejects.toMatchObject({ code: 'CLIENT_DISCONNECTED' })
    await otto.get('/me')
    expect(log.take().filter(({ level }) => level > 30)).toEqual([])
  })
})
