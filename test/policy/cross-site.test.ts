import { beforeAll, describe, expect, it } from 'vitest'
import { internalOperations, operations } from '../../src/operations.ts'
import { useApp } from '../support/app.ts'
import type { Browser } from '../support/browser.ts'
import { fromOwnPage } from '../support/client.ts'
import { usingDatabases } from '../support/databases.ts'
import { signedIn } from '../support/sessions.ts'
import { makeSchool } from '../support/school.ts'
import { emptyPiano, musicXml } from '../support/scores.ts'
import { newRecording } from '../support/recordings.ts'
import { missing } from './as-missing.ts'

/**
 * A page of another site can make a browser send requests with the cookie of a session. For every operation, such a request must
 * get exactly the answer of a request without credentials.
 */

const client = { 'X-Partita-Client': 'web' }
/** The headers that a browser adds to a request of another site or of a form. */
const foreign: readonly [where: string, headers: Record<string, string>][] = [
  ['a form of our own page', { 'Sec-Fetch-Site': 'same-origin' }],
  ['an address that the user typed', { ...client, 'Sec-Fetch-Site': 'none' }],
  ['a script of another site', { ...client, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  ['a script of another host of this site', { ...client, 'Sec-Fetch-Site': 'same-site' }],
  [
    'a script of another site in a browser without fetch metadata',
    { ...client, Origin: 'https://evil.example' },
  ],
  [
    'a script of another site that says so by Referer only',
    { ...client, Referer: 'https://evil.example/page' },
  ],
  [
    'a script of a page that was not loaded from the public address',
    { ...client, Origin: 'http://127.0.0.1:1' },
  ],
  ['a sandboxed frame', { ...client, Origin: 'null' }],
  ['a request without any header about its origin', { ...client }],
]

/** An operation that converts what it is sent. It reads no object, so a session changes nothing about its answer. */
const bodies: Readonly<Record<string, object>> = { convertScore: { data: musicXml() } }

const all = [...Object.values(operations), ...Object.values(internalOperations)]

describe('the cookie of a session counts for nothing', () => {
  const app = useApp(usingDatabases('sqlite'), { role: 'api' })
  let browser: Browser
  /** Objects that the signed-in user can see and an anonymous client cannot. */
  let own: Readonly<Record<string, string>>

  beforeAll(async () => {
    const { tess } = await makeSchool(app)
    browser = await signedIn(app, tess)
    const score = (await tess.post('/scores', { ...emptyPiano(), privacy: 'private' })).body.id
    own = { user: tess.id, score, revision: 'last', format: 'xml', track: await newRecording(app, score) }
  })

  /**
   * Returns the address of an operation. An operation that allows anonymous requests gets an object of the user, because its
   * answer about a missing one is the same with a session and without.
   */
  const addressOf = ({ anonymous, mount, path }: (typeof all)[number]) =>
    app.url + mount + path.replaceAll(/\{(\w+)\}/g, (_, name) => (anonymous && own[name]) || missing)

  async function answerTo(
    send: typeof fetch | Browser['fetch'],
    operation: (typeof all)[number],
    headers: Record<string, string>,
  ) {
    const { method, body } = operation
    const response = await send(addressOf(operation), {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(bodies[operation.id] ?? {}) }),
    })
    return { status: response.status, body: await response.text() }
  }

  it('unless the request comes from our own page', async () => {
    for (const operation of all) {
      const { status } = await answerTo(fetch, operation, fromOwnPage)
      const missingObject = operation.id in bodies ? 200 : 404
      expect([operation.id, status]).toEqual([operation.id, operation.anonymous ? missingObject : 401])
    }
    for (const operation of all.filter(({ anonymous }) => anonymous)) {
      const { status } = await answerTo(browser.fetch, operation, fromOwnPage)
      expect([200, 204], operation.id).toContain(status)
    }
  })

  it.each(foreign)('in %s: %j', async (_where, headers) => {
    for (const operation of all) {
      const answer = await answerTo(browser.fetch, operation, headers)
      expect([operation.id, answer]).toEqual([operation.id, await answerTo(fetch, operation, headers)])
    }
    expect(await browser.signedInAs()).toBe('tess')
  })

  it('if the request has an Authorization header as well', async () => {
    for (const operation of all) {
      const headers = { ...fromOwnPage, Authorization: 'Bearer nonsense' }
      expect([operation.id, (await answerTo(browser.fetch, operation, headers)).status]).toEqual([
        operation.id,
        401,
      ])
    }
  })

  it('and no answer permits a page of another site to send cookies', async () => {
    for (const operation of all) {
      const { headers } = await fetch(addressOf(operation), {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://evil.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'x-partita-client,content-type',
        },
      })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.has('access-control-allow-credentials')).toBe(false)
    }
  })
})
