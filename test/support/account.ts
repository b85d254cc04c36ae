import { Ajv } from 'ajv'
import { FlatErrorResponse } from '../../src/contract/errors.ts'
import type { Browser } from './browser.ts'

export interface AccountReply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  readonly body: any
}

/** What the browser app asks below /account/data, in a browser in which somebody may be signed in. */
export interface AccountClient {
  get(path: string, init?: RequestInit): Promise<AccountReply>
  post(path: string, body?: unknown, init?: RequestInit): Promise<AccountReply>
  put(path: string, body?: unknown, init?: RequestInit): Promise<AccountReply>
  delete(path: string, init?: RequestInit): Promise<AccountReply>
}

const isError = new Ajv({ strict: false }).compile(FlatErrorResponse)

/** Holds of each answer on the way that nobody keeps it, and that an error has the body of all errors. */
export function accountIn(browser: Browser): AccountClient {
  async function request(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<AccountReply> {
    const { status, headers, text } = await browser.open(`/account/data${path}`, {
      method,
      ...init,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...init.headers,
      },
    })
    const reply = { status, headers, body: text === '' ? undefined : JSON.parse(text) }
    const where = `${method} /account/data${path} → ${status} ${text}`
    if (headers.get('cache-control') !== 'no-store') throw new Error(`${where}: may be kept`)
    if (status >= 400 && !isError(reply.body)) throw new Error(`${where}: not the body of an error`)
    return reply
  }
  return {
    get: (path, init) => request('GET', path, undefined, init),
    post: (path, body, init) => request('POST', path, body, init),
    put: (path, body, init) => request('PUT', path, body, init),
    delete: (path, init) => request('DELETE', path, undefined, init),
  }
}
