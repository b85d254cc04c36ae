import { parentPort, workerData } from 'node:worker_threads'
import { connectTo } from './connection.ts'
import { type LoadResult, type LoadTask, numberPlace } from './load.ts'

const { targets, connections, seconds, method, token, body, run } = workerData as LoadTask

/** The body is split once: to find the place of the number takes longer than to join the parts. */
const parts = body?.split(numberPlace)
const headers = [
  'Host: partita.example',
  ...(token ? [`Authorization: Bearer ${token}`] : []),
  ...(parts ? ['Content-Type: application/json'] : []),
].join('\r\n')
const durations: number[] = []
let inTime = 0
let failed = 0
let sent = 0

function requestOf(path: string): string {
  const content = parts?.join(`${run}.${sent}`)
  const length = content === undefined ? '' : `Content-Length: ${Buffer.byteLength(content)}\r\n`
  // Requests are sent as Latin-1, and `content` is UTF-8.
  const bytes = content === undefined ? '' : Buffer.from(content).toString('latin1')
  return `${method} ${path} HTTP/1.1\r\n${headers}\r\n${length}\r\n${bytes}`
}

const opened = Array.from({ length: connections }, (_, index) => {
  const target = targets[index % targets.length] as (typeof targets)[number]
  return { target, connection: connectTo(target.url) }
})
await Promise.all(opened.map(({ connection }) => connection.opened))
const cpuBefore = process.threadCpuUsage()
const endsAt = performance.now() + seconds * 1000
const requested = new Map(targets.map((target) => [target, 0]))

await Promise.all(
  opened.map(async ({ target, connection }) => {
    for (let now = performance.now(); now < endsAt; ) {
      sent++
      const number = requested.get(target) ?? 0
      requested.set(target, number + 1)
      const status = await connection.send(requestOf(target.paths[number % target.paths.length] ?? ''))
      const answeredAt = performance.now()
      if (status < 200 || status > 299) failed++
      else durations.push(answeredAt - now)
      if (answeredAt < endsAt) inTime += status < 300 ? 1 : 0
      now = answeredAt
    }
    connection.close()
  }),
)
const { user, system } = process.threadCpuUsage(cpuBefore)
const result: LoadResult = { durations: Float64Array.from(durations), inTime, failed, cpu: user + system }
parentPort?.postMessage(result)
