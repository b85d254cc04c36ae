import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { isOfBytes } from '../../src/contract/schema.ts'
import type { Operation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { type Person, useApp } from '../support/app.ts'
import { type Client, sessionClient } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { type Known, validValuesOf, valuesOf } from '../support/schema-values.ts'
import { musicXml } from '../support/scores.ts'
import { wavOf } from '../support/recordings.ts'
import { signedIn } from '../support/sessions.ts'
import { type FuzzedSchool, makeFuzzedSchool } from './situations.ts'

/**
 * The number of cases per operation and their seed. `FUZZ_CASES=1000 npx vitest run test/conformance/fuzz.test.ts
 * --testTimeout 0` runs more and prints the counts of each status. FUZZ_SEED generates other cases.
 */
const numRuns = Number(process.env.FUZZ_CASES ?? 30)
const seed = Number(process.env.FUZZ_SEED ?? 2026)
const statuses = [200, 202, 204, 400, 401, 402, 403, 404, 409, 413, 415]

const ajv = new Ajv({ strict: false })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addFormat('url', (text: string) => URL.canParse(text))

describeEachDatabase(`generated requests, ${numRuns} cases of seed ${seed}`, (databases) => {
  const app = useApp(databases, { role: 'api', openTasks: '10000' })
  let school: FuzzedSchool
  /** The callers of the first school with sessions, in the same order, without the anonymous caller. */
  const bySession: Client[] = []
  let schools = 0
  beforeAll(async () => {
    school = await makeFuzzedSchool(app, schools++)
    if (databases.dialect !== 'sqlite') return
    for (const person of school.callers.slice(0, -1)) {
      bySession.push(sessionClient(await signedIn(app, person as Person)))
    }
  })

  it.each(
    Object.values<Operation>(operations).toSorted(
      (a, b) => Number(isDestructive(a)) - Number(isDestructive(b)),
    ),
  )('$id responds as its contract says, and never fails', async (operation) => {
    if (isDestructive(operation)) school = await makeFuzzedSchool(app, schools++)
    const counts: Record<number, number> = {}
    const validate = operation.body && !isOfBytes(operation.body) && ajv.compile(operation.body)
    await fc.assert(
      fc.asyncProperty(requestsFor(operation, school), async ({ caller, path, body }) => {
        // The client checks every response against the contract.
        const { status, body: answered } = await caller.request(operation.method, path, body)
        counts[status] = (counts[status] ?? 0) + 1
        // Reads come first, so the callers are still those of the first school.
        const session = operation.method === 'GET' ? bySession[school.callers.indexOf(caller)] : undefined
        if (session) {
          const own = await session.request('GET', path)
          expect([own.status, comparable(own.body)]).toEqual([status, comparable(answered)])
        }
        expect(statuses).toContain(status)
        if (validate && body !== undefined && !validate(body)) expect(status).toBeGreaterThanOrEqual(400)
      }),
      { numRuns, seed },
    )
    if (process.env.FUZZ_CASES) process.stdout.write(`${operation.id} ${JSON.stringify(counts)}\n`)
    if (Object.keys(operation.responses).length > 0) {
      expect(Object.keys(counts), 'one request at least succeeds').toContainEqual(expect.stringMatching(/^2/))
    }
  })

  it('leave the server working', async () => {
    const [tess] = school.callers as [Client]
    expect((await tess.post('/scores', { data: musicXml() })).status).toBe(200)
  })
})

/** Links to files contain the time at which they were signed, and a comment is unread until it is listed. */
const comparable = (body: unknown) =>
  JSON.stringify(body)
    ?.replaceAll(/\/files\/[^"]+/g, '/files/…')
    .replaceAll('"unread":true', '"unread":false')
    // Views and plays are counted a moment after the response.
    .replaceAll(/"(total|weekly|monthly)":\d+/g, '"$1":0')

/** Whether an operation removes objects or rights. These operations come last, each with a school of its own. */
const isDestructive = ({ id, method }: Operation): boolean =>
  method === 'DELETE' || /^(archive|unarchive|leave|updateOrganizationUser|returnSubmissions)/.test(id)

interface Request {
  caller: Client
  path: string
  body: unknown
}

/** Generates requests of the callers of a school. Half of them are valid, if the caller has the right. */
function requestsFor(operation: Operation, school: FuzzedSchool): fc.Arbitrary<Request> {
  const { id, path, params, query, body } = operation
  const nothing = fc.constant({})
  const fitting = school.situations.map(({ caller, known }) => {
    const ofPath = scoped(known, `${id}.`)
    const ofBody = scoped(known, 'body.', `${id}.`, `${id}.body.`)
    const validBody = isOfBytes(body)
      ? fc.constant(wavOf())
      : body
        ? validValuesOf(body, ofBody)
        : fc.constant(undefined)
    return fc.record({
      caller: fc.constant(caller),
      segments: params ? validValuesOf(params, ofPath) : nothing,
      query: query ? validValuesOf(query, ofPath) : nothing,
      body: body
        ? fc.oneof({ weight: 3, arbitrary: validBody }, { weight: 1, arbitrary: valuesOf(body, ofBody, 8) })
        : validBody,
    })
  })
  const any = fc.record({
    caller: fc.constantFrom(...school.callers),
    segments: params ? valuesOf(params, school.ids, 10) : nothing,
    query: query ? valuesOf(query, school.ids, 10) : nothing,
    body: body
      ? fc.oneof(...[0, 8, 30].map((broken) => valuesOf(body, school.ids, broken)))
      : fc.constant(undefined),
  })
  return fc
    .oneof({ weight: 2, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: any })
    .map(({ caller, segments, query, body }) => ({
      caller,
      body: wellFormed(body),
      path:
        path.replaceAll(/\{(\w+)\}/g, (_, name) =>
          segmentOf((segments as Record<string, unknown> | null)?.[name]),
        ) + queryOf(query),
    }))
}

/** Returns the values with those that are known under a prefix, which count more. */
const scoped = (known: Known, ...prefixes: readonly string[]): Known =>
  Object.assign(
    {},
    known,
    ...prefixes.map((prefix) =>
      Object.fromEntries(
        Object.entries(known)
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, list]) => [name.slice(prefix.length), list]),
      ),
    ),
  )

/** Returns a valid path segment: not empty, and not a step to another folder. */
function segmentOf(value: unknown): string {
  const text = escaped(value)
  return text === '' || text === '.' || text === '..' ? '-' : text.slice(0, 2000)
}

function queryOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${escaped(name)}=${escaped(one).slice(0, 2000)}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

const escaped = (value: unknown) =>
  encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed())

/** Returns a body as it is after encoding and decoding as JSON. Bytes stay as they are. */
const wellFormed = (body: unknown): unknown =>
  body === undefined || body instanceof Uint8Array ? body : JSON.parse(JSON.stringify(body))
