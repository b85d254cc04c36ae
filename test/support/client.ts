import type { Mount } from '../../src/contract/routes.ts'
import type { Browser } from './browser.ts'
import { checkConformance } from './conformance.ts'
import { type HttpResponse, type ResponseHeaders, send } from './http.ts'

/** A response. `body` is the parsed JSON; undefined if the response is not JSON. */
export interface Reply {
  readonly status: number
  readonly headers: ResponseHeaders
  // Tests read any property of a body and assert what they find.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
  readonly bytes: Uint8Array
}

/**
 * Sends requests below a mount as one caller: a body of bytes as it is, any other one as JSON. Checks every response against the
 * contract.
 */
export interface Client {
  get(path: string, init?: RequestInit): Promise<Reply>
  post(path: string, body?: unknown, init?: RequestInit): Promise<Reply>
  put(path: string, body?: unknown, init?: RequestInit): Promise<Reply>
  delete(path: string, init?: RequestInit): Promise<Reply>
  request(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Reply>
}

/** Returns a client of /v2 that authenticates with the token, or sends no credentials without a token. */
export function clientOf(url: string, token?: string): Client {
  const own: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  return clientWith('/v2', own, (path, init) => send(url + path, init))
}

/** The headers that a script of the web app sends. The server accepts a session cookie only with them. */
export const fromOwnPage = { 'Sec-Fetch-Site': 'same-origin', 'X-Partita-Client': 'test' } as const

/** Returns a client that authenticates with the cookies of a browser, as a script of the web app does. */
export function sessionClient(browser: Browser, mount: Mount = '/v2'): Client {
  return clientWith(mount, fromOwnPage, (path, init) => browser.fetch(path, init))
}

/** Returns a client of the internal operations of the web app. Checks that every response forbids caching. */
export const internalClient = (browser: Browser): Client => sessionClient(browser, '/internal')

function clientWith(
  mount: Mount,
  ownHeaders: Readonly<Record<string, string>>,
  sendTo: (path: string, init: RequestInit) => Promise<HttpResponse>,
): Client {
  async function request(
    method: string,
    path: string,
    body?: unknown,
    init: RequestInit = {},
  ): Promise<Reply> {
    const isOfBytes = body instanceof Uint8Array
    const response = await sendTo(mount + path, {
      method,
      ...init,
      ...(body !== undefined && {
        body: isOfBytes ? new Uint8Array(body) : JSON.stringify(body),
      }),
      headers: {
        ...ownHeaders,
        ...(body !== undefined && {
          'Content-Type': isOfBytes ? 'application/octet-stream' : 'application/json',
        }),
        ...init.headers,
      },
    })
    const bytes = await response.bytes()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const reply = {
      status: response.status,
      headers: response.headers,
      body: isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined,
      bytes,
    }
    checkConformance(mount, method, path, reply)
    return reply
  }
  return {
    request,
    get: (path, init) => request('GET', path, undefined, init),
    post: (path, body, init) => request('POST', path, body, init),
    put: (path, body, init) => request('PUT', path, body, init),
    delete: (path, init) => request('DELETE', path, undefined, init),
  }
}
