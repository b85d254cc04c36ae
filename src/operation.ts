import type { Static, TObject, TSchema } from 'typebox'
import type { Actor, SessionActor, Viewer } from './actor.ts'
import type { Answer, File } from './answer.ts'
import type { Context } from './context.ts'
import type { InternalId } from './contract/internal.ts'
import type { Route } from './contract/published.ts'
import { type Mount, type OperationId, routeOf } from './contract/routes.ts'
import type { MaybeCached } from './lib/cached-json.ts'
import type { Scope } from './contract/scopes.ts'
import type { Tag } from './contract/tags.ts'

/** Facts about the request that an operation may need beyond its parameters. */
export interface RequestFacts {
  /** The id of the request in the log. */
  readonly id: string
  /**
   * Whom work for this request is charged to: the account, or the network of an anonymous client. The address of the client
   * is taken from X-Forwarded-For only if the proxy is trusted.
   */
  readonly caller: string
  /**
   * Aborted with CLIENT_DISCONNECTED when the client disconnects before the response. Pass it to slow work before a
   * transaction.
   */
  readonly signal: AbortSignal
  /** The version that a write expects to replace (`If-Match`, RFC 9110, section 13.1.1), without quotation marks. */
  readonly ifMatch: string | undefined
  /** The language to answer in: X-Flat-Locale, the account's, Accept-Language, en. */
  locale(): string
  /** The language of pages and mails: the first in Accept-Language that they are written in. */
  textLanguage(): string
  /** For an answer that stays open, such as a stream of events. */
  stayOpen(): OpenRequest
}

/** A request whose answer stays open. */
export interface OpenRequest {
  /** The id of the last event that the client has received (`Last-Event-ID`). */
  readonly lastEventId: string | undefined
  /**
   * Authenticates the request again.
   * @throws Failure if the operation no longer admits it
   */
  viewerNow(): Promise<Viewer>
  /** Calls back when the answer was sent or the client has gone. */
  onClose(callback: () => void): void
}

/** A response that has headers of its own, or is a file instead of JSON. */
export interface ResponseDescription {
  body?: TSchema
  /** Media types of the file. */
  files?: readonly string[]
  headers?: Readonly<Record<string, TSchema>>
}

/** The response without a body (204). */
export const Empty = Symbol('empty')

export type Responses = { readonly [status: number]: TSchema | ResponseDescription | typeof Empty }

type BodyOf<Response> = Response extends typeof Empty
  ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler of an empty response returns nothing
    void
  : Response extends { files: readonly string[] }
    ? File
    : Response extends { body: infer Body extends TSchema }
      ? Json<Static<Body>>
      : Response extends TSchema
        ? Json<Static<Response>>
        : never
/** A body that is an object, and the items of a list, may be `CachedJson`. */
type Json<Body> = Body extends readonly (infer Item)[] ? readonly MaybeCached<Item>[] : MaybeCached<Body>
type BodiesOf<R extends Responses> = { [Status in keyof R]: BodyOf<R[Status]> }[keyof R]

/** The argument of `handle`. */
export interface Input<Params, Query, Body, Caller extends Viewer> {
  readonly ctx: Context
  readonly actor: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly request: RequestFacts
}

/** Which credentials an operation accepts. */
export type CredentialKind = 'token' | 'session' | 'either'

type CallerOf<Id extends OperationId, Anonymous extends boolean> = Id extends InternalId
  ? SessionActor
  : Anonymous extends true
    ? Viewer
    : Actor

/** Operations of our own pages accept a session with all of its powers. Any other operation says which scopes it needs. */
type Admission<Id extends OperationId> = Id extends InternalId
  ? { accepts: 'session'; scopes?: undefined }
  : {
      /** Default: `either`. */
      accepts?: CredentialKind
      /** The caller needs one of them. */
      scopes: readonly [Scope, ...Scope[]]
      /** Scopes that also suffice although the published interface does not list them. The description names them. */
      furtherScopes?: readonly Scope[]
    }

interface Description<
  Id extends OperationId,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  R extends Responses,
  Anonymous extends boolean,
> {
  /** The key of the operation in a route table of contract/, which gives method and path. The file has the same name. */
  id: Id
  /** Another method that does the same at this path. */
  alsoMethod?: 'POST'
  tag: Tag
  summary: string
  description?: string
  /** Throws if the operation is never allowed to callers with the role of this one. It runs before the body is read. */
  checkRole?(actor: Actor): void
  /** Allows requests without credentials. `actor` is then undefined. */
  anonymous?: Anonymous
  params?: Params
  query?: Query
  body?: Body
  bodyRequired?: boolean
  /** A member who must set up a second factor or passkey first can use the operation. */
  beforeSecondFactor?: true
  /** A delegated session can use the operation of our own pages. The operation reveals and changes nothing of the account. */
  acceptsDelegated?: true
  /** The operation takes no body, but clients send an empty form. */
  emptyForm?: true
  /** The operation exists for old clients only. Every answer has a `Deprecation` header. */
  deprecated?: true
  /** The answer contains a secret, so it is not stored for a repeated request with the same idempotency key. */
  returnsSecret?: true
  /** Maximum size of the body in bytes. Default: 1 MiB, and 64 KiB for operations of our own pages. */
  bodyLimit?: number
  /** The successful responses. */
  responses: R
  /** Statuses of the errors that the published interface lists. Others may occur as well. */
  errors?: readonly number[]
  handle(
    input: Input<Static<Params>, Static<Query>, Static<Body>, CallerOf<Id, Anonymous>>,
  ): Promise<BodiesOf<R> | Answer<BodiesOf<R>>>
}

/** The types of an operation as a client sees them. */
export interface ClientTypes<Params = unknown, Query = unknown, Body = unknown, Reply = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly reply: Reply
}

type ReplyOf<Response> = Response extends typeof Empty
  ? // biome-ignore lint/suspicious/noConfusingVoidType: there is nothing to look at
    void
  : Response extends { files: readonly string[] }
    ? Blob
    : Response extends { body: infer Body extends TSchema }
      ? Static<Body>
      : Response extends TSchema
        ? Static<Response>
        : never
type RepliesOf<R extends Responses> = { [Status in keyof R]: ReplyOf<R[Status]> }[keyof R]

/** An operation as the registry, the server and the OpenAPI document see it: plain data and a function. */
export type Operation<Id extends OperationId = OperationId, Types = unknown> = Omit<
  Description<Id, TObject, TObject, TSchema, Responses, boolean>,
  'handle'
> &
  Route & {
    readonly mount: Mount
    readonly accepts: CredentialKind
    /** Empty if no scope is needed. */
    readonly scopes: readonly Scope[]
    readonly furtherScopes: readonly Scope[]
    readonly bodyLimit: number
    handle(input: Input<unknown, unknown, unknown, Viewer>): Promise<unknown>
    /** Exists for the compiler only: the browser's client takes its types from here (see `Api` in operations.ts). */
    readonly clientTypes?: Types
  }

/** Returns a response in its full form. */
export function describedResponse(response: Responses[number]): ResponseDescription {
  if (response === Empty) return {}
  return 'files' in response || 'body' in response ? response : { body: response as TSchema }
}

const bodyLimits: Readonly<Record<Mount, number>> = { '/v2': 1024 * 1024, '/internal': 64 * 1024 }

/** Declares an operation. The types of the input and the result of `handle` follow from the schemas. */
export function operation<
  const Id extends OperationId,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  const R extends Responses,
  const Anonymous extends boolean = false,
>(
  description: Description<Id, Params, Query, Body, R, Anonymous> & Admission<Id>,
): Operation<Id, ClientTypes<Static<Params>, Static<Query>, Static<Body>, RepliesOf<R>>> {
  const route = routeOf(description.id)
  const defaults = { accepts: 'either', scopes: [], furtherScopes: [], bodyLimit: bodyLimits[route.mount] }
  return { ...route, ...defaults, ...description } as unknown as Operation<
    Id,
    ClientTypes<Static<Params>, Static<Query>, Static<Body>, RepliesOf<R>>
  >
}
