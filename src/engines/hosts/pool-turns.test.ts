import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { StartHost } from './host.ts'
import { createPool, type PoolOptions, type RunOptions } from './pool.ts'

/** Runs jobs that end when the test says so, and notes the order in which they start. */
function controlledPool(options: Partial<PoolOptions>) {
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const startHost: StartHost = ({ onMessage }) => {
    queueMicrotask(() => onMessage({ kind: 'ready' }))
    return {
      pid: undefined,
      send(job) {
        const { value } = job as { value: string }
        started.push(value)
        finish.set(value, () => onMessage({ kind: 'answer', answer: value, memory: 0 }))
      },
      kill: () => {},
      hold: () => {},
    }
  }
  const pool = createPool<{ value: string }, unknown>({ startHost, size: 1, ...options })
  return {
    started,
    run: (value: string, options: Partial<RunOptions> = {}) =>
      pool.run({ value }, { callers: [value.split(' ')[0] as string], ...options }),
    /** Finishes a running job. Resolves when the next ones have started. */
    async finish(value: string) {
      finish.get(value)?.()
      await setImmediate()
    },
    /** Finishes each job as soon as it has started, until nothing waits. */
    async finishAll() {
      for (let index = 0; index < started.length; index++) await this.finish(started[index] as string)
    },
  }
}

test('serves a quiet caller before the rest of the jobs of a busy one', async () => {
  const pool = controlledPool({ size: 1 })
  const pages = Array.from({ length: 8 }, (_, index) => pool.run(`busy page ${index}`, { isShort: true }))
  await setImmediate()
  const pdf = pool.run('quiet pdf', { cost: 8 })
  await pool.finishAll()
  await Promise.all([...pages, pdf])
  expect(pool.started.slice(0, 3)).toEqual(['busy page 0', 'quiet pdf', 'busy page 1'])
})

test('refuses a job that waited for 30 seconds, and not one of a patient caller', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const pool = controlledPool({ size: 1, timeLimit: 120_000 })
    const running = pool.run('a')
    await setImmediate()
    const waiting = pool.run('b')
    const patient = pool.run('c', { isPatient: () => true })
    const refused = expect(waiting).rejects.toMatchObject({
      code: 'SERVER_BUSY',
      status: 503,
      retryAfter: 30,
      message: 'The server is busy: this waited longer than 30 s for its turn. Try again later.',
    })
    await vi.advanceTimersByTimeAsync(30_000)
    await refused
    await pool.finishAll()
    expect([await running, await patient]).toEqual(['a', 'c'])
    expect(pool.started).toEqual(['a', 'c'])
  } finally {
    vi.useRealTimers()
  }
})

test('leaves half of the hosts to other callers', async () => {
  const pool = controlledPool({ size: 4 })
  const jobs = [1, 2, 3].map((index) => pool.run(`busy ${index}`))
  await setImmediate()
  expect(pool.started).toEqual(['busy 1', 'busy 2'])
  jobs.push(pool.run('quiet'))
  await setImmediate()
  expect(pool.started).toEqual(['busy 1', 'busy 2', 'quiet'])
  await pool.finishAll()
  await Promise.all(jobs)
})

test('charges a caller for the time of a job that hangs', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const patient = { isPatient: () => true }
    const pool = controlledPool({ size: 1 })
    const jobs = ['busy hang', 'busy 2', 'busy 3', 'quiet 1'].map((value) => pool.run(value, patient))
    const hang = expect(jobs[0]).rejects.toMatchObject({ code: 'ENGINE_TIMEOUT' })
    jobs.push(...[2, 3, 4].map((index) => pool.run(`quiet ${index}`, { cost: 10, ...patient })))
    await setImmediate()
    await vi.advanceTimersByTimeAsync(60_000)
    await hang
    await pool.finishAll()
    await Promise.all(jobs.slice(1))
    expect(pool.started).toEqual([
      'busy hang',
      ...[1, 2, 3, 4].map((index) => `quiet ${index}`),
      'busy 2',
      'busy 3',
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('runs only short jobs on reserved hosts, however many callers have long ones', async () => {
  const pool = controlledPool({ size: 3, reserved: 1 })
  const jobs = ['a', 'b', 'c'].map((caller) => pool.run(`${caller} pdf`))
  await setImmediate()
  jobs.push(pool.run('d thumbnail', { isShort: true }))
  await setImmediate()
  expect(pool.started).toEqual(['a pdf', 'b pdf', 'd thumbnail'])
  await pool.finish('d thumbnail')
  expect(pool.started).toHaveLength(3)
  await pool.finish('a pdf')
  expect(pool.started.at(-1)).toBe('c pdf')
  await pool.finishAll()
  await Promise.all(jobs)
})

test('serves a job that several callers wait for at the first turn of any of them', async () => {
  const pool = controlledPool({ size: 1 })
  const callers = ['busy']
  const jobs = [1, 2].map((index) => pool.run(`busy ${index}`))
  jobs.push(pool.run('busy shared', { callers }))
  await setImmediate()
  callers.push('quiet')
  await pool.finishAll()
  await Promise.all(jobs)
  expect(pool.started).toEqual(['busy 1', 'busy shared', 'busy 2'])
})

test('lets a short rest of an aborted job finish, because a new process takes longer', async () => {
  const pool = controlledPool({ size: 1 })
  const controller = new AbortController()
  const aborted = pool.run('a', { signal: controller.signal })
  const next = pool.run('b')
  await setImmediate()
  controller.abort(new Error('the client is gone'))
  await expect(aborted).rejects.toThrow('the client is gone')
  expect(pool.started).toEqual(['a'])
  await pool.finish('a')
  expect(pool.started).toEqual(['a', 'b'])
  await pool.finish('b')
  await next
})
