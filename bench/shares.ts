import { Session } from 'node:inspector/promises'
import type { Profiler } from 'node:inspector'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { freePort, runPartita } from '../test/support/program.ts'
import { musicXml } from '../test/support/scores.ts'
import { measureLoad } from './load.ts'

/** Stages by their names, each with the frames of the stack that belong to it. */
export type Stages = Readonly<Record<string, (frame: Profiler.ProfileNode['callFrame']) => boolean>>

/** The stages that a request passes beside its operation, by the files that implement them. */
const stages: Stages = {
  authentication: ({ url, functionName }) =>
    /\/auth\/authenticate\.ts$|\/http\/admission\.ts$/.test(url) && functionName !== 'authorize',
  'rate limit': ({ url }) => /\/http\/(rate-limit|network)\.ts$|\/rate-limiter-flexible\//.test(url),
  scopes: ({ url, functionName }) => /\/http\/admission\.ts$/.test(url) && functionName === 'authorize',
  validation: ({ url, functionName }) =>
    /\/http\/validation\.ts$|\/fastify\/lib\/validation\.js$/.test(url) || /^validate\d+$/.test(functionName),
  metrics: ({ url }) => /\/http\/measure-requests\.ts$|\/src\/admin\/|\/prom-client\//.test(url),
}

/**
 * Prints the share of CPU time that each stage before the operation takes in getScore. Samples the thread
 * that serves, while another thread sends requests on 50 connections.
 */
export async function benchShares(seconds: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-bench-'))
  const settings = { DATA_DIR: dataDir, SHIPPED_CONTENT: 'false', LOG_LEVEL: 'info' }
  const limits = { RATE_LIMIT_AUTHENTICATED: '1000000000', RATE_LIMIT_ANONYMOUS: '1000000000' }
  const config = readConfig(
    {},
    { ...settings, ...limits, PORT: String(await freePort()), ADMIN_PORT: String(await freePort()) },
  )
  const app = await startApp(config)
  try {
    await runPartita(['user', 'create', '--username', 'ada', '--password', 'a long one'], settings)
    const { stdout } = await runPartita(['token', 'create', '--user', 'ada', '--json'], settings)
    const token: string = JSON.parse(stdout).token
    const response = await fetch(`${config.publicUrl}/v2/scores`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: musicXml({ title: 'Measured' }) }),
    })
    const { id } = (await response.json()) as { id: string }
    const targets = [{ url: config.publicUrl, paths: [`/v2/scores/${id}`] }]
    const load = (duration: number) =>
      measureLoad({ targets, connections: 50, seconds: duration, method: 'GET', token })
    await load(2)
    const profile = await profileOf(() => load(seconds))
    console.log('\ngetScore: what part of the CPU time of a request is spent beside the operation')
    console.table(sharesOf(profile, stages))
  } finally {
    await app.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Samples the main thread of this process while some work runs. */
export async function profileOf(work: () => Promise<unknown>): Promise<Profiler.Profile> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

/** A sample belongs to the innermost stage on the stack. Idle time is not counted. */
export function sharesOf({ nodes, samples = [] }: Profiler.Profile, stages: Stages): Record<string, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const stageOf = (id: number | undefined): string | undefined => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame
      const stage = frame && Object.keys(stages).find((name) => stages[name]?.(frame))
      if (stage) return stage
    }
    return undefined
  }
  const counts: Record<string, number> = {}
  let all = 0
  for (const id of samples) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue
    all++
    const stage = stageOf(id)
    if (stage) counts[stage] = (counts[stage] ?? 0) + 1
  }
  const percent = (count: number) => `${((100 * count) / all).toFixed(1)} %`
  const counted = Object.keys(stages).map((name) => [name, counts[name] ?? 0] as const)
  const together = counted.reduce((sum, [, count]) => sum + count, 0)
  return Object.fromEntries(
    [...counted, ['together', together] as const].map(([name, count]) => [name, percent(count)]),
  )
}
