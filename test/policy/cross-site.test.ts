import { beforeAll, describe, expect, it } from 'vitest'
import { internalOperations, operations } from '../../src/operations.ts'
import { type Person, useApp } from '../support/app.ts'
import type { Browser } from '../support/browser.ts'
import { fromOwnPage } from '../support/client.ts'
import { usingDatabases } from '../support/databases.ts'
import { signedIn } from '../support/oauth.ts'
import { missing } from './as-missing.ts'

/**
 * A page of another site can make a browser send requests with the cookie of a session. For every operation, such a request must
 * get exactly the answer of a request without credentials.
 */

const client = { 'X-Partita-Client': 'web' }
/** What the browser adds to a request that comes from somewhere else, or from a form. */
const foreign: readonly [where: string, headers: Record<string, string>][] = [
  ['a form of our own page', { 'Sec-Fetch-Site': 'same-origin' }],
  ['an address that the user typed', { ...client, 'Sec-Fetch-Site': 'none' }],
  ['a script of another site', { ...client, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
  ['a script of another host of this site', { ...client, 'Sec-Fetch-Site': 'same-site' }],
  [
    'a script of another site in a browser without fetch metadata',
    { ...client, Origin: 'https://evil.example' },
  ],
  ['a sandboxed frame', { ...client, Origin: 'null' }],
  ['a request that says nothing about where it comes from', { ...client }],
]

const all = [...Object.values(operations), ...Object.values(internalOperations)]

describe('the cookie of a session counts for nothing', () => {
  const app = useApp(usingDatabases('sqlite'), { role: 'api' })
  let otto: Person
  let browser: Browser

  beforeAll(async () => {
    otto = await app.person('otto')
    browser = await signedIn(app, otto)
  })

  async function answerTo(
    send: typeof fetch | Browser['fetch'],
    { mount, method, path, body }: (typeof all)[number],
    headers: Record<string, string>,
  ) {
    const response = await send(`${app.url}${mount}${path.replaceAll(/\{\w+\}/g, missing)}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: '{}' }),
    })
    return { status: response.status, body: await response.text() }
  }

  it.each(foreign)('in %s: %j', async (_where, headers) => {
    for (const operation of all) {
      const own = await answerTo(browser.fetch, operation, headers)
      expect([operation.id, own]).toEqual([operation.id, await answerTo(fetch, operation, headers)])
    }
    expect(await browser.signedInAs()).toBe('otto')
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
    for (const { mount, path } of all) {
      const { headers } = await fetch(`${app.url}${mount}${path.replaceAll(/\{\w+\}/g, missing)}`, {
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
