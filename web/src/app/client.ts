import { filledPath } from '../../../src/contract/filled-path.ts'
import type { Gradebook } from '../../../src/contract/submissions.ts'
import { routeOf } from '../../../src/contract/routes.ts'
import type { Api } from '../../../src/operations.ts'
import { fetchWithProgress, type OnProgress } from './progress-request.ts'
import { signInAgain } from './session-end.ts'

type Id = keyof Api

/** Values that an operation does not take cannot be given. Objects without required properties can be left out. */
type Part<Name extends string, Value> = unknown extends Value
  ? { readonly [N in Name]?: undefined }
  : string extends keyof Value
    ? { readonly [N in Name]?: undefined }
    : Partial<Value> extends Value
      ? { readonly [N in Name]?: Value }
      : { readonly [N in Name]: Value }

/** The parameters, query and body of an operation. */
export type InputOf<One extends Id> = Part<'params', Api[One]['params']> &
  Part<'query', Api[One]['query']> &
  Part<'body', Api[One]['body'] extends Uint8Array ? Blob : Api[One]['body']> & {
    /** Several requests with the same key are executed once, so that a request whose answer was lost can be repeated. */
    readonly idempotencyKey?: string
    /** The version that a write replaces. The server refuses it if there is a newer one. */
    readonly ifMatch?: string
    readonly signal?: AbortSignal
    readonly onProgress?: OnProgress
  }

type Arguments<One extends Id> =
  Partial<InputOf<One>> extends InputOf<One> ? [input?: InputOf<One>] : [input: InputOf<One>]

/** The body of the successful answer of an operation. */
export type ReplyOf<One extends Id> = Api[One]['reply']

/** The operations that answer with a file. */
type FileId = { [One in Id]: ReplyOf<One> extends Blob ? One : never }[Id]
type JsonId = Exclude<Id, FileId>

/** An error that the server answered with. `status` is 0 if the server did not answer. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** The field that was not accepted. */
  readonly field: string | undefined
  /** The id of the request in the log of the server. */
  readonly id: string | undefined
  /** Seconds until it may be tried again. */
  readonly retryAfter: number
  /** What the server says about the error, in English. */
  readonly detail: string | undefined

  constructor(
    status: number,
    { code = '', message, param, id }: { code?: string; message?: string; param?: string; id?: string } = {},
    retryAfter: string | null = null,
  ) {
    super(code)
    this.status = status
    this.retryAfter = Number(retryAfter)
    this.code = code
    this.field = param?.split('.')[0]
    this.id = id
    this.detail = message
  }
}

/**
 * Calls an operation of the server, for example `call('createPersonalToken', { body: { name, scopes } })`. The types follow
 * from the schemas of the operation. If the session has ended, it waits until the user has signed in again.
 * @throws Refusal
 */
export async function call<One extends JsonId>(id: One, ...[input]: Arguments<One>): Promise<ReplyOf<One>> {
  const response = await send(id, input)
  return (response.status === 204 ? undefined : await response.json()) as ReplyOf<One>
}

/** The operations whose answer can have more pages. */
type PagedId = {
  [One in JsonId]: ReplyOf<One> extends readonly unknown[] | Gradebook ? One : never
}[JsonId]

/**
 * Calls an operation that answers with one page of a list.
 * @returns the page, and the cursor of the next page: the value of its parameter `next`. Null on the last page
 * @throws Refusal
 */
export async function callPage<One extends PagedId>(
  id: One,
  ...[input]: Arguments<One>
): Promise<{ rows: ReplyOf<One>; next: string | null }> {
  const response = await send(id, input)
  const [, address] = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? []
  const next = address === undefined ? null : new URL(address).searchParams.get('next')
  return { rows: (await response.json()) as ReplyOf<One>, next }
}

/**
 * Calls an operation that answers with a file.
 * @returns the file, and the headers of the answer
 * @throws Refusal
 */
export async function callFile<One extends FileId>(
  id: One,
  ...[input]: Arguments<One>
): Promise<{ file: Blob; headers: Headers }> {
  const response = await send(id, input)
  return { file: await response.blob(), headers: response.headers }
}

/**
 * Calls an operation that answers with a stream of events.
 * @param input `lastEventId`: the id of the last event that was received
 * @throws Refusal
 */
export async function callStream<One extends FileId>(
  id: One,
  input: InputOf<One> & { readonly lastEventId?: string },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return (await send(id, input)).body ?? new ReadableStream()
}

/**
 * Calls an operation that answers with a file, and lets the browser save it under the name that the server gives.
 * @throws Refusal
 */
export async function download<One extends FileId>(id: One, ...[input]: Arguments<One>): Promise<void> {
  const response = await send(id, input)
  const [, name = ''] =
    /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('Content-Disposition') ?? '') ?? []
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = decodeURIComponent(name)
  link.click()
  // The browser reads the file after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

interface Input {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
  readonly lastEventId?: string | undefined
}

/** Sends a request. Returns the answer, whatever its status is. */
async function request(id: Id, input: Input): Promise<Response> {
  const { params = {}, query = {}, body, idempotencyKey, ifMatch, signal, onProgress, lastEventId } = input
  const { mount, method, path } = routeOf(id)
  const url = mount + filledPath(path, params) + queryOf(query)
  const json = body instanceof Blob ? undefined : JSON.stringify(body)
  const init = {
    method,
    headers: {
      // Without this header the session does not count (src/http/cross-site.ts).
      'X-Partita-Client': 'web',
      // Names are in the language of the page.
      'X-Flat-Locale': document.documentElement.lang,
      // A file says its type itself.
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
    ...(signal && { signal }),
    ...(body !== undefined && { body: json ?? (body as Blob) }),
  }
  const answer = onProgress ? fetchWithProgress(url, init, onProgress) : fetch(url, init)
  return answer.catch((error: unknown) => {
    throw signal?.aborted ? error : new Refusal(0)
  })
}

async function send(id: Id, input: Input = {}): Promise<Response> {
  const response = await request(id, input)
  if (response.ok) return response
  const refusal = new Refusal(
    response.status,
    await response.json().catch(() => undefined),
    response.headers.get('Retry-After'),
  )
  // The request has done nothing, so it can be sent again.
  if (refusal.status === 401 && (await signInAgain())) return send(id, input)
  if (refusal.code === 'DELEGATED_SESSION') reloadForDelegated()
  throw refusal
}

/**
 * Returns the user whose session the browser has now, also after the app has begun with another one. Undefined without a session.
 * @throws Refusal without a network
 */
export async function findSignedInUser(): Promise<ReplyOf<'getSignedInUser'> | undefined> {
  const response = await request('getSignedInUser', {})
  return response.ok ? response.json() : undefined
}

/** Returns a query string with its question mark. An array becomes one parameter per item. */
function queryOf(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      one === undefined ? [] : [[name, String(one)]],
    ),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

const lastReloadKey = 'partita.reloaded-for-delegated-at'

/**
 * Reloads the page, so that a delegated session gets the page of the server that explains why it may not see this one. Does
 * nothing within 10 seconds after the last time: the page then shows the error instead of an endless loop.
 */
function reloadForDelegated(): void {
  const now = Date.now()
  if (now - Number(sessionStorage.getItem(lastReloadKey)) < 10_000) return
  sessionStorage.setItem(lastReloadKey, String(now))
  location.reload()
}
