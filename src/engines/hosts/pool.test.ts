import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { fail } from '../../errors.ts'
import type { StartHost } from './host.ts'
import type { FaultyJob } from './pool.test.child.ts'
import { createPool, type Pool, type PoolOptions, type RunOptions } from './pool.ts'
import { type ProcessOptions, processHost } from './process-host.ts'
import { threadHost } from './thread-host.ts'

const module = new URL('./pool.test.child.ts', import.meta.url)
const pools: { close(): Promise<void> }[] = []

function faultyPool({ memory = 2 ** 30, heap, ...options }: Partial<PoolOptions & ProcessOptions> = {}) {
  return poolForTest({ startHost: processHost(module, { memory, heap }), size: 1, ...options })
}

function threadPool(options: Partial<PoolOptions> = {}) {
  return poolForTest({ startHost: threadHost(module, 100), size: 1, ...options })
}

/** Creates a pool whose jobs have the same caller unless a test says otherwise. */
function poolForTest(options: PoolOptions) {
  const pool: Pool<FaultyJob, unknown> = createPool(options)
  pools.push(pool)
  return {
    ...pool,
    run: (job: FaultyJob, options: Partial<RunOptions> = {}) =>
      pool.run(job, { callers: ['quiet'], ...options }),
  }
}

/** Resolves when the process has ended. Its parent still has to reap it. */
async function processEnd(pid: number) {
  await expect.poll(() => isRunning(pid), { interval: 20, timeout: 5_000 }).toBe(false)
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

test.each([
  ['process', faultyPool],
  ['thread', threadPool],
])('returns the answer of a %s, with typed arrays and progress reports', async (_host, open) => {
  const percents: number[] = []
  const value = { bytes: Uint8Array.of(1, 2, 3), text: 'Sonata ♭' }
  const report = (percent: number) => percents.push(percent)
  expect(await open().run({ do: 'echo', value }, { report })).toEqual(value)
  expect(percents).toEqual([50])
})

test('rejects waiting jobs when the system cannot start a process or thread, and uses the next one that starts', async () => {
  const startHost = threadHost(module, 100)
  let isGiven = false
  const pool = threadPool({
    startHost(events) {
      if (!isGiven) throw new Error('spawn EAGAIN')
      return startHost(events)
    },
  })
  await expect(pool.run({ do: 'count' })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  await expect(pool.warm()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  isGiven = true
  expect(await pool.run({ do: 'echo', value: 1 })).toBe(1)
})

test('leaves waiting jobs to the other hosts when one more cannot start', async () => {
  const startHost = threadHost(module, 100)
  const broken = threadHost(new URL('./no-such.child.ts', import.meta.url), 100)
  let started = 0
  const pool = threadPool({ size: 4, startHost: (events) => (started++ === 0 ? startHost : broken)(events) })
  await pool.run({ do: 'count' })
  const jobs = ['a', 'b', 'c'].map((caller) => pool.run({ do: 'count' }, { callers: [caller] }))
  expect(await Promise.all(jobs)).toMatchObject([{ jobs: 2 }, { jobs: 3 }, { jobs: 4 }])
  expect(started).toBeGreaterThan(1)
})

test('starts no process before the first job, and uses one process for many jobs', async () => {
  const pool = faultyPool()
  expect(pool.processes()).toEqual([])
  const first = await pool.run({ do: 'count' })
  expect(await pool.run({ do: 'count' })).toEqual({ ...(first as object), jobs: 2 })
  expect(pool.processes()).toHaveLength(1)
})

test('reports its running hosts and its waiting jobs', async () => {
  const pool = threadPool()
  expect(pool.stats()).toEqual({ size: 1, started: 0, busy: 0, waiting: 0 })
  await pool.warm()
  expect(pool.stats()).toEqual({ size: 1, started: 1, busy: 0, waiting: 0 })
  const jobs = [pool.run({ do: 'count' }), pool.run({ do: 'count' }), pool.run({ do: 'count' })]
  expect(pool.stats()).toEqual({ size: 1, started: 1, busy: 1, waiting: 2 })
  await Promise.all(jobs)
  expect(pool.stats()).toEqual({ size: 1, started: 1, busy: 0, waiting: 0 })
})

test('starts all processes on warm', async () => {
  const pool = faultyPool({ size: 2 })
  await pool.warm()
  expect(pool.processes()).toHaveLength(2)
})

test.each([
  ['process', faultyPool],
  ['thread', threadPool],
])('returns the failure that a %s throws unchanged, and runs the next job', async (_host, open) => {
  const pool = open()
  const refused = { code: 'INVALID_PARAMETER', param: 'page', message: 'No.' }
  await expect(pool.run({ do: 'refuse' })).rejects.toMatchObject(refused)
  expect(await pool.run({ do: 'count' })).toMatchObject({ jobs: 2 })
})

test('fails only the job that exceeds the time limit and gives the next job a fresh process', async () => {
  const pool = faultyPool({ timeLimit: 1_500 })
  await pool.warm()
  const [pid] = pool.processes()
  const [timedOut, after] = await Promise.allSettled([pool.run({ do: 'hang' }), pool.run({ do: 'count' })])
  expect(timedOut).toMatchObject({ status: 'rejected', reason: { code: 'ENGINE_TIMEOUT' } })
  expect(after).toMatchObject({ status: 'fulfilled', value: { jobs: 1 } })
  await processEnd(pid as number)
})

test('ends a process that exceeds its memory limit and gives the next job a fresh one', async () => {
  const pool = faultyPool({ memory: 200 * 2 ** 20 })
  const [exhausted, after] = await Promise.allSettled([pool.run({ do: 'eat' }), pool.run({ do: 'count' })])
  expect(exhausted).toMatchObject({ status: 'rejected', reason: { name: 'HostError', isOutOfMemory: true } })
  expect(after).toMatchObject({ status: 'fulfilled', value: { jobs: 1 } })
})

test('gives the next job a fresh process after one that filled its heap', async () => {
  const pool = faultyPool({ heap: 64 })
  const [filled, after] = await Promise.allSettled([pool.run({ do: 'fill' }), pool.run({ do: 'count' })])
  expect(filled).toMatchObject({ status: 'rejected', reason: { name: 'HostError', isOutOfMemory: true } })
  expect(after).toMatchObject({ status: 'fulfilled', value: { jobs: 1 } })
})

test.each([
  ['process', 'break', faultyPool],
  ['process', 'die', faultyPool],
  ['thread', 'break', threadPool],
  ['thread', 'leave', threadPool],
] as const)('only the job fails that makes a fresh %s %s', async (_host, behavior, open) => {
  const pool = open()
  await expect(pool.run({ do: behavior })).rejects.toMatchObject({ name: 'HostError', isOutOfMemory: false })
  expect(await pool.run({ do: 'count' })).toMatchObject({ jobs: 1 })
})

test('retries a job that breaks a used process once on a fresh process before it fails', async () => {
  const pool = faultyPool()
  await pool.run({ do: 'count' })
  const [used] = pool.processes()
  const percents: number[] = []
  await expect(pool.run({ do: 'break' }, { report: (percent) => percents.push(percent) })).rejects.toThrow(
    'TypeError',
  )
  expect(percents).toEqual([1, 1])
  expect(await pool.run({ do: 'count' })).toMatchObject({ jobs: 1 })
  await processEnd(used as number)
})

test.each([
  ['process', 'thrown', faultyPool],
  ['process', 'uncaught', faultyPool],
  ['process', 'printed', faultyPool],
  ['thread', 'thrown', threadPool],
  ['thread', 'uncaught', threadPool],
] as const)(
  'leaves the text of a score out of the error of a %s that quotes it, %s',
  async (_host, how, open) => {
    const pool = open()
    const text = 'canary, canary\n    at canary (canary)\nError: canary'
    const error = (await pool.run({ do: 'quote', text, how }).catch((reason) => reason)) as Error
    expect(inspect(error, { depth: 9 })).not.toContain('canary')
    expect(error.message).toMatch(/SyntaxError\n.*pool\.test\.child\.ts:\d+/s)
    if (how === 'printed') expect(error.message).toContain('RuntimeError: unreachable')
  },
)

test('breaks no other used process when it retries a job', async () => {
  const pool = faultyPool({ size: 3 })
  await pool.warm()
  const used = pool.processes()
  await Promise.all(['a', 'b', 'c'].map((caller) => pool.run({ do: 'count' }, { callers: [caller] })))
  const percents: number[] = []
  const report = (percent: number) => percents.push(percent)
  await expect(pool.run({ do: 'break' }, { report })).rejects.toThrow('TypeError')
  expect(percents).toEqual([1, 1])
  expect(pool.processes().filter((pid) => used.includes(pid))).toHaveLength(2)
})

test('gives waiting jobs to used hosts while a job waits for the fresh host of its retry', async () => {
  const pool = threadPool({ size: 2, maxPerCaller: 2 })
  await pool.warm()
  await Promise.all([pool.run({ do: 'count' }), pool.run({ do: 'count' })])
  const broken = expect(pool.run({ do: 'break' })).rejects.toThrow('TypeError')
  expect(await Promise.all([pool.run({ do: 'count' }), pool.run({ do: 'count' })])).toMatchObject([
    { jobs: 2 },
    { jobs: 3 },
  ])
  await broken
})

test('rejects a job that breaks a used host when no fresh one starts', async () => {
  const startHost = threadHost(module, 100)
  const noHost = threadHost(new URL('./no-such.child.ts', import.meta.url), 100)
  let next: StartHost = startHost
  const pool = threadPool({ startHost: (events) => next(events) })
  for (next of [noHost, (): never => fail('ENGINE_UNAVAILABLE')]) {
    const replacement = next
    next = startHost
    await pool.run({ do: 'count' })
    next = replacement
    await expect(pool.run({ do: 'break' })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  }
})

test('gives the host of a retry to the next job when the retry is aborted', async () => {
  const startHost = threadHost(module, 100)
  const controller = new AbortController()
  let started = 0
  const pool = threadPool({
    startHost(events) {
      if (++started === 2) setImmediate().then(() => controller.abort(new Error('the client is gone')))
      return startHost(events)
    },
  })
  await pool.run({ do: 'count' })
  const retried = pool.run({ do: 'break' }, { signal: controller.signal })
  const next = pool.run({ do: 'count' })
  await expect(retried).rejects.toThrow('the client is gone')
  expect(await next).toMatchObject({ jobs: 1 })
  expect(started).toBe(2)
})

test.each([
  ['its number of jobs', { recycleAfter: 2 }],
  ['it has grown too large', { recycleAbove: 2 ** 20 }],
])('replaces a process after %s, when the next one is ready', async (_reason, options) => {
  const pool = faultyPool({ ...options, idleLimit: 60_000, kept: 1 })
  const worn = await pool.run({ do: 'count' })
  // It serves until the next one is ready, so that no job waits for the start.
  expect(await pool.run({ do: 'count' })).toEqual({ ...(worn as object), jobs: 2 })
  await expect.poll(() => pool.processes()).not.toContain((worn as { pid: number }).pid)
  expect(await pool.run({ do: 'count' })).toMatchObject({ pid: pool.processes()[0], jobs: 1 })
})

test('starts a spare host while all have jobs, so that the next caller does not wait for its start', async () => {
  const pool = faultyPool({ size: 2, spareAfter: 1, idleLimit: 100, kept: 1 })
  const stopped = new AbortController()
  const busy = pool.run({ do: 'hang' }, { callers: ['busy'], signal: stopped.signal })
  await expect.poll(() => pool.processes()).toHaveLength(2)
  const [, spare] = pool.processes()
  // It stays while it is the only one that is free.
  await setTimeout(300)
  expect(await pool.run({ do: 'count' })).toMatchObject({ pid: spare, jobs: 1 })
  stopped.abort(new Error('It left'))
  await expect(busy).rejects.toThrow('It left')
})

test('a job can have a time limit of its own', async () => {
  const pool = faultyPool()
  await pool.warm()
  await expect(pool.run({ do: 'hang' }, { timeLimit: 300 })).rejects.toMatchObject({
    code: 'ENGINE_TIMEOUT',
    message: expect.stringContaining('0.3 s'),
  })
})

test('ends idle hosts except for those that stay', async () => {
  const pool = faultyPool({ size: 4, idleLimit: 50, kept: 1 })
  await Promise.all(['a', 'b'].map((caller) => pool.run({ do: 'count' }, { callers: [caller] })))
  expect(pool.processes()).toHaveLength(2)
  await expect.poll(() => pool.processes()).toHaveLength(1)
  expect(await pool.run({ do: 'count' })).toMatchObject({ pid: pool.processes()[0] })
})

test('ends an idle host after its time and starts a new one for the next job', async () => {
  const pool = faultyPool({ idleLimit: 50 })
  await pool.run({ do: 'count' })
  await expect.poll(() => pool.processes()).toEqual([])
  expect(await pool.run({ do: 'count' })).toMatchObject({ jobs: 1 })
})

test('rejects the jobs of a caller that has too many waiting ones, and no others', async () => {
  const pool = faultyPool({ queueLimits: { total: 100, perCaller: 2 } })
  const jobs = [1, 2].map((value) => pool.run({ do: 'echo', value }, { callers: ['busy'] }))
  const refused = pool.run({ do: 'echo', value: 3 }, { callers: ['busy'] })
  await expect(refused).rejects.toMatchObject({ code: 'SERVER_BUSY', status: 503 })
  expect(await pool.run({ do: 'echo', value: 4 }, { callers: ['quiet'] })).toBe(4)
  expect(await Promise.all(jobs)).toEqual([1, 2])
})

test('rejects the newest job of the busiest caller when the queue is full', async () => {
  const pool = faultyPool({ queueLimits: { total: 2, perCaller: 2 } })
  const jobs = [1, 2].map((value) => pool.run({ do: 'echo', value }, { callers: ['busy'] }))
  const displaced = expect(jobs[1]).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  expect(await pool.run({ do: 'echo', value: 3 }, { callers: ['quiet'] })).toBe(3)
  await displaced
  expect(await jobs[0]).toBe(1)
})

test('removes a waiting job when its signal is aborted', async () => {
  const pool = faultyPool()
  const controller = new AbortController()
  const first = pool.run({ do: 'count' })
  const second = pool.run({ do: 'count' }, { signal: controller.signal })
  controller.abort(new Error('the client is gone'))
  await expect(second).rejects.toThrow('the client is gone')
  expect(await first).toMatchObject({ jobs: 1 })
})

test('ends the process of a running job when its signal is aborted', async () => {
  const pool = faultyPool()
  await pool.warm()
  const [pid] = pool.processes()
  const controller = new AbortController()
  const running = pool.run({ do: 'hang' }, { signal: controller.signal })
  controller.abort(new Error('the client is gone'))
  await expect(running).rejects.toThrow('the client is gone')
  await processEnd(pid as number)
  expect(await pool.run({ do: 'count' })).toMatchObject({ jobs: 1 })
})

test('finishes accepted jobs on close, accepts no more, and leaves no process', async () => {
  const pool = faultyPool()
  const jobs = [pool.run({ do: 'count' }), pool.run({ do: 'count' })]
  const closing = pool.close()
  await expect(pool.run({ do: 'count' })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  const [first] = (await Promise.all(jobs)) as { pid: number }[]
  await closing
  expect(pool.processes()).toEqual([])
  await processEnd((first as { pid: number }).pid)
})

test.each([
  ['process', (url: URL) => processHost(url, { memory: 2 ** 30 })],
  ['thread', (url: URL) => threadHost(url, 100)],
])('rejects waiting jobs when a %s cannot start', async (_host, start) => {
  const noModule = new URL('./no-such.child.ts', import.meta.url)
  const pool = createPool({ startHost: start(noModule), size: 1 })
  await expect(pool.run({}, { callers: ['quiet'] })).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
  await expect(pool.warm()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
})

test('gives processes a lower priority than the server', async () => {
  const pool = faultyPool()
  const { pid } = (await pool.run({ do: 'count' })) as { pid: number }
  expect(getPriority(pid)).toBeGreaterThan(getPriority())
})

test('neither keeps the parent process alive nor outlives it, even during a job', async () => {
  const program = `
    import { createPool } from ${JSON.stringify(new URL('./pool.ts', import.meta.url).href)}
    import { processHost } from ${JSON.stringify(new URL('./process-host.ts', import.meta.url).href)}
    const startHost = processHost(new URL(${JSON.stringify(module.href)}), { memory: 2 ** 30 })
    const pool = createPool({ startHost, size: 1 })
    const callers = ['quiet']
    await pool.run({ do: 'count' }, { callers })
    console.log(pool.processes()[0])
    if (process.argv[1] === 'kill') {
      pool.run({ do: 'hang' }, { callers })
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)
    }`
  for (const way of ['end', 'kill']) {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program, way], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [[printed], [code, signal]] = await Promise.all([once(parent.stdout, 'data'), once(parent, 'exit')])
    expect(way === 'end' ? code : signal).toBe(way === 'end' ? 0 : 'SIGKILL')
    await processEnd(Number(printed))
  }
})
