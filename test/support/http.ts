import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'

/** The parts of `Headers` that tests read. The iteration is sorted by name, in lower case. */
export interface ResponseHeaders extends Pick<Headers, 'get' | 'has' | 'getSetCookie'> {
  [Symbol.iterator](): Iterator<[name: string, value: string]>
}

/** The parts of a `Response` that tests read. */
export type HttpResponse = Pick<Response, 'status' | 'bytes' | 'json' | 'text'> & {
  readonly headers: ResponseHeaders
}

const agent = new Agent({ keepAlive: true })

/**
 * Sends a request as `fetch` does, with a quarter of its CPU time. A body that is a stream, and the target of a redirect, are
 * left to `fetch`.
 * @param init its headers are a plain object
 * @throws TypeError if the connection fails; the reason if the request was aborted
 */
export function send(url: string, init: RequestInit = {}): Promise<HttpResponse> {
  const { method = 'GET', signal, redirect } = init
  const body = init.body instanceof URLSearchParams ? init.body.toString() : (init.body ?? undefined)
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)) return fetch(url, init)
  const headers = {
    Accept: '*/*',
    ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
    ...(typeof body === 'string' && { 'Content-Type': typeOf(init.body) }),
    ...(init.headers as Record<string, string>),
  }
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) =>
      reject(signal?.aborted ? signal.reason : new TypeError(`${method} ${url} failed`, { cause: error }))
    const options = { agent, method, headers, joinDuplicateHeaders: true, ...(signal && { signal }) }
    const request = httpRequest(url, options, (incoming) => {
      const { location } = incoming.headers
      if (location !== undefined && isRedirect(incoming) && redirect !== 'manual') {
        incoming.resume()
        if (method === 'GET') resolve(fetch(new URL(location, url), init))
        else reject(new Error(`${method} ${url} is answered by a redirect to ${location}`))
        return
      }
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      // A stream of events may have no end.
      if (incoming.headers['content-type'] === 'text/event-stream')
        incoming.once('data', (event) => {
          resolve(responseOf(incoming, event))
          incoming.destroy()
        })
      incoming.on('error', refuse)
      incoming.on('end', () => resolve(responseOf(incoming, Buffer.concat(chunks))))
    })
    request.on('error', refuse)
    request.end(body)
  })
}

/** The media type that `fetch` gives to a body that is a text or a form. */
const typeOf = (body: unknown): string =>
  body instanceof URLSearchParams
    ? 'application/x-www-form-urlencoded;charset=UTF-8'
    : 'text/plain;charset=UTF-8'

const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean =>
  statusCode >= 301 && statusCode <= 308 && statusCode !== 304

function responseOf({ statusCode = 0, headers }: IncomingMessage, content: Buffer): HttpResponse {
  const headerOf = (name: string) => headers[name.toLowerCase()]
  return {
    status: statusCode,
    headers: {
      get: (name) => headerOf(name)?.toString() ?? null,
      has: (name) => headerOf(name) !== undefined,
      getSetCookie: () => headers['set-cookie'] ?? [],
      [Symbol.iterator]: () =>
        Object.entries(headers)
          .map(([name, value]): [string, string] => [name, `${value}`])
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .values(),
    },
    bytes: async () => new Uint8Array(content),
    json: async () => JSON.parse(content.toString()),
    text: async () => content.toString(),
  }
}

/** Downloads the file at an address that needs no credentials. */
export async function fileAt(url: string): Promise<Uint8Array> {
  return (await send(url)).bytes()
}
