import { checkConformance } from './conformance.ts'

/** What came back. `body` is the parsed JSON, or undefined where it is something else. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // Tests look into bodies freely: what they find there, they assert.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any
  readonly bytes: Uint8Array
}

/** Sends requests below /v2 as one person, and holds every answer against the contract. */
export interface Client {
  get(path: string, init?: RequestInit): Promise<Reply>
  post(path: string, body?: unknown, init?: RequestInit): Promise<Reply>
  put(path: string, body?: unknown, init?: RequestInit): Promise<Reply>
  delete(path: string, init?: RequestInit): Promise<Reply>
  request(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Reply>
}

export function clientOf(url: string, token?: string): Client {
  async function request(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(`${url}/v2${path}`, {
      method,
      ...init,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...init.headers,
      },
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const reply = {
      status: response.status,
      headers: response.headers,
      body: isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined,
      bytes,
    }
    checkConformance(method, path, reply)
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
