import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../src/app.ts'
import { createDemoSchool } from '../../src/commands/demo-school.ts'
import { readConfig } from '../../src/config.ts'
import { type Example, type Examples, exampleServer } from '../../src/contract/examples.ts'
import { filledPath } from '../../src/contract/filled-path.ts'
import { minute } from '../../src/lib/durations.ts'
import { updateClassState } from '../../src/features/teaching/classes/store.ts'
import { type Api, operations } from '../../src/operations.ts'
import { withStableValues } from './stable-values.ts'
import { tour } from './tour.ts'

type Id = keyof typeof operations

interface InputOf<One extends Id> {
  readonly params?: Api[One]['params']
  readonly query?: Partial<Api[One]['query']>
  readonly body?: Api[One]['body']
}

/** Sends the request of an operation. Throws unless it succeeds. Returns the JSON of the answer. */
export type Send = <One extends Id>(id: One, input?: InputOf<One>) => Promise<Api[One]['reply']>

/** A member of the demo school. */
export interface Member {
  readonly id: string
  /** Sends a request and keeps it with its answer as an example of the operation. */
  readonly example: Send
  /** Sends a request that is no example. */
  readonly send: Send
}

export interface DemoServer {
  readonly admin: Member
  readonly teacher: Member
  readonly students: readonly [Member, Member]
  /** The class of both students. */
  readonly class: string
  /** Makes an active class inactive, as a roster can. No request does. */
  makeInactive(schoolClass: string): Promise<void>
  /** Waits until all jobs have run. */
  jobsDone(): Promise<void>
}

/**
 * Runs a server with the demo school, sends it one request after another (see tour.ts), and returns them with their answers.
 * Each request is sent a minute after the one before.
 */
export async function recordExamples(): Promise<Examples> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-examples-'))
  const settings = {
    dataDir,
    role: 'api',
    port: '0',
    publicUrl: exampleServer,
    logLevel: 'warn',
    durability: 'off',
  }
  let now = Date.parse('2026-09-01T08:00:00Z')
  const running = await startApp(readConfig(settings, {}), { clock: { now: () => now } })
  const examples: Record<string, Example[]> = {}

  const memberOf = ({ id, token }: { id: string; token: string }): Member => {
    const sender =
      (keep: boolean): Send =>
      async (operation, input = {}) => {
        now += minute
        // Otherwise it depends on the time whether a read finds what the requests before it noted.
        await running.ctx.writeBehind.flush()
        const example = await exchange(running.server, token, operation, input)
        if (keep) {
          examples[operation] ??= []
          examples[operation].push(example)
        }
        return example.answer as never
      }
    return { id, example: sender(true), send: sender(false) }
  }

  try {
    const { members, class: schoolClass } = await createDemoSchool(running.ctx)
    const [admin, teacher, one, other] = members.map(memberOf)
    if (!admin || !teacher || !one || !other) throw new Error('The demo school has no four members')
    const jobsDone = async () => {
      await running.worker.poll()
      await running.worker.idle()
    }
    const makeInactive = async (id: string) => {
      const change = { from: 'active', to: 'inactive', now } as const
      await running.ctx.transaction((tx) => updateClassState(tx, id, change))
    }
    await jobsDone()
    await tour({ admin, teacher, students: [one, other], class: schoolClass, makeInactive, jobsDone })
  } finally {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return withStableValues(examples)
}

/** Maximum length of the JSON of a body in an example. A longer one is left out. */
const maxBodyLength = 10_000

/** Sends one request to the server. */
async function exchange<One extends Id>(
  server: Awaited<ReturnType<typeof startApp>>['server'],
  token: string,
  id: One,
  { params = {}, query = {}, body }: InputOf<One>,
): Promise<Example> {
  const { method, path } = operations[id]
  const isOfBytes = body instanceof Uint8Array
  const response = await server.inject({
    method,
    url: `/v2${filledPath(path, params as object)}`,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: {
      authorization: `Bearer ${token}`,
      ...(isOfBytes && { 'content-type': 'application/octet-stream' }),
    },
    ...(body !== undefined && { payload: isOfBytes ? Buffer.from(body) : (body as object) }),
  })
  const { statusCode: status, payload } = response
  if (status >= 300) throw new Error(`${id}: ${status} ${payload}`)
  const type = String(response.headers['content-type'] ?? '').split(';')[0] ?? ''
  const isJson = type === 'application/json'
  const isReadable = body !== undefined && !isOfBytes && JSON.stringify(body).length <= maxBodyLength
  const isText = type.startsWith('text/') || type.endsWith('+xml')
  return {
    parameters: { ...(params as object), ...(query as object) },
    ...(isReadable && { body }),
    status,
    ...(type && !isJson && { mediaType: type }),
    ...(payload && (isJson || isText) && { answer: isJson ? JSON.parse(payload) : payload }),
  }
}
