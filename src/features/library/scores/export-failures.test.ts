import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { Failure } from '../../../errors.ts'
import { minute } from '../../../lib/durations.ts'

describeEachDatabase('an export that failed', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person

  beforeAll(async () => {
    otto = await app.person('otto')
  })
  afterEach(() => vi.restoreAllMocks())

  const newScore = async () =>
    (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body.id as string
  const failWith = (failure: Failure) => vi.spyOn(app.ctx.notation, 'write').mockRejectedValueOnce(failure)

  it('by its time limit fails in the same way for ten minutes, without any work', async () => {
    const path = `/scores/${await newScore()}/revisions/last`
    const writing = failWith(new Failure('ENGINE_TIMEOUT', { message: 'Too long.' }))
    const outcome = async (file: string) => {
      const { status, body, headers } = await otto.get(`${path}/${file}`)
      return [status, body?.code, body?.message, headers.get('retry-after')]
    }
    expect(await outcome('svg')).toEqual([503, 'ENGINE_TIMEOUT', 'Too long.', '600'])
    clock.forward(4 * minute)
    expect(await outcome('svg')).toEqual([503, 'ENGINE_TIMEOUT', 'Too long.', '360'])
    for (const other of ['svg?url=true', 'svg?page=2'])
      expect(await outcome(other)).toEqual([503, 'ENGINE_TIMEOUT', 'Too long.', '360'])
    expect(writing).toHaveBeenCalledTimes(1)
    expect((await outcome('thumbnail.png'))[0]).toBe(200)
    clock.forward(6 * minute)
    expect((await outcome('svg'))[0]).toBe(200)
  })

  it('because it broke the engine fails again without any work, until a new revision', async () => {
    const score = await newScore()
    const writing = failWith(new Failure('SCORE_NOT_RENDERABLE'))
    const outcome = async () => {
      const { status, headers } = await otto.get(`/scores/${score}/revisions/last/pdf`)
      return [status, headers.get('retry-after')]
    }
    expect([await outcome(), await outcome()]).toEqual([
      [400, null],
      [400, null],
    ])
    expect(writing).toHaveBeenCalledTimes(1)
    await otto.post(`/scores/${score}/revisions`, { data: musicXml({ measures: ['G4 G4 G4 G4'] }) })
    expect(await outcome()).toEqual([200, null])
  })

  it('is no play', async () => {
    const score = await newScore()
    const listen = () => app.anonymous.get(`/scores/${score}/revisions/last/mp3`)
    const plays = async () => {
      await app.ctx.writeBehind.flush()
      return (await otto.get(`/scores/${score}`)).body.plays.total
    }
    failWith(new Failure('SERVER_BUSY'))
    expect((await listen()).status).toBe(503)
    expect(await plays()).toBe(0)
    expect((await listen()).status).toBe(200)
    expect(await plays()).toBe(1)
  })

  it.each(['SERVER_BUSY', 'ENGINE_UNAVAILABLE'] as const)(
    'with %s is tried again at the next request',
    async (code) => {
      const path = `/scores/${await newScore()}/revisions/last/svg`
      if (code === 'ENGINE_UNAVAILABLE') app.expectLog(/ENGINE_UNAVAILABLE/)
      failWith(new Failure(code))
      expect((await otto.get(path)).status).toBe(503)
      expect((await otto.get(path)).status).toBe(200)
    },
  )
})
