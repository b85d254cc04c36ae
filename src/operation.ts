import type { KeyObject } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Static, TObject, TSchema } from 'typebox'
import type { BlobBody, BlobStore } from './blobs/blob-store.ts'
import type { Config } from './config.ts'
import type { Route } from './contract/published.ts'
import { type OperationId, routeOf } from './contract/routes.ts'
import type { Scope } from './contract/scopes.ts'
import type { Tag } from './contract/tags.ts'
import type { OrganizationRole } from './contract/users.ts'
import type { Database, Durability, Transaction } from './db/database.ts'
import type { WriteBehind } from './db/write-behind.ts'
import type { Notation } from './engines/notation.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Beliefs } from './lib/beliefs.ts'
import type { Bounded } from './lib/bounded.ts'
import type { BrowserMarks } from './lib/browser-marks.ts'
import type { Clock } from './lib/clock.ts'
import type { NewId } from './lib/ids.ts'
import type { Mailer } from './lib/mailer.ts'
import type { Recent } from './lib/recent.ts'
import type { LinkSigner } from './lib/signed-links.ts'
import type { InTurn } from './lib/turns.ts'
import type { WebClient } from './lib/web-client.ts'

/** What every operation, job and command works with. Made once, by hand, in context.ts. */
export interface Context {
  readonly config: Config
  readonly db: Database
  readonly blobs: BlobStore
  readonly jobs: Jobs
  readonly notation: Notation
  readonly writeBehind: WriteBehind
  readonly links: LinkSigner
  readonly browserMarks: BrowserMarks
  /** With which it is kept who has tried what; see features/sessions/attempts.ts. */
  readonly attemptSecret: KeyObject
  /** Undefined where no mails are sent. */
  readonly mailer: Mailer | undefined
  readonly web: WebClient
  readonly inTurn: InTurn
  /** Of which one is needed to have the password of somebody who signs in or up checked or hashed. */
  readonly passwordPlaces: Bounded
  /** What was presented lately, and need not be again. */
  readonly recent: Recent
  /** Whose tokens are believed to be theirs, by the hash; to be forgotten once what a token is worth has changed. */
  readonly actors: Beliefs<Actor>
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Logger
  /** A write transaction, durable where nothing else is said; see Database.transaction. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, durability?: Durability): Promise<T>
}

/** The account on whose behalf a request is made, and what its token allows. */
export interface Actor {
  readonly id: string
  readonly organization: string | undefined
  readonly organizationRole: OrganizationRole | undefined
  readonly locale: string
  readonly token: {
    readonly id: string
    readonly app: string | undefined
    /** Made by an administrator to act for the account, without the powers of its role over others. */
    readonly isDelegated: boolean
    readonly scopes: ReadonlySet<Scope>
  }
}

/** Who asks: an account, or nobody in particular. */
export type Viewer = Actor | undefined

/** What an operation may need to know of the request beyond its parameters. */
export interface RequestFacts {
  /** The id of the request in the log. */
  readonly id: string
  /** The client's address; of X-Forwarded-For only where the proxy is trusted. */
  readonly address: string
  /** The language to answer in: X-Flat-Locale, the account's, Accept-Language, en. */
  locale(): string
}

/** Where the pages before and after this one begin. */
export interface PageCursors {
  next?: string | undefined
  previous?: string | undefined
}

/** An answer that is more than a body. */
export class Answer<Body = unknown> {
  readonly body: Body
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly cursors: PageCursors

  constructor(body: Body, rest: { status?: number; headers?: Record<string, string>; cursors?: PageCursors } = {}) {
    this.body = body
    this.status = rest.status
    this.headers = rest.headers ?? {}
    this.cursors = rest.cursors ?? {}
  }
}

/** Bytes to hand out as they are; of what is made while it is sent, nobody knows yet how many there are. */
export class File {
  readonly body: BlobBody | { readonly stream: Readable }
  readonly mediaType: string
  /** The name under which a browser saves it; without one it is shown. */
  readonly name: string | undefined

  constructor(body: File['body'], mediaType: string, name?: string) {
    this.body = body
    this.mediaType = mediaType
    this.name = name
  }
}

/** A response with headers of its own, or with files instead of JSON. */
export interface ResponseDescription {
  body?: TSchema
  /** Media types of the files that it may be. */
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
      ? Static<Body>
      : Response extends TSchema
        ? Static<Response>
        : never
type BodiesOf<R extends Responses> = { [Status in keyof R]: BodyOf<R[Status]> }[keyof R]

/** What a handler is given. */
export interface Input<Params, Query, Body, Anonymous extends boolean> {
  readonly ctx: Context
  readonly actor: Anonymous extends true ? Viewer : Actor
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly request: RequestFacts
}

interface Description<
  Id extends OperationId,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  R extends Responses,
  Anonymous extends boolean,
> {
  /** The operationId of the published interface or of an extension, which says method and path; the file bears the same name. */
  id: Id
  /** Another method that does the same at the same path. */
  alsoMethod?: 'POST'
  tag: Tag
  summary: string
  description?: string
  /** Any one of them suffices. */
  scopes: readonly [Scope, ...Scope[]]
  /** Throws for whom it is not because of what they are, whatever is asked of it: before the body is looked at. */
  checkRole?(actor: Actor): void
  /** May be called without a token; `actor` may then be undefined. */
  anonymous?: Anonymous
  params?: Params
  query?: Query
  body?: Body
  bodyRequired?: boolean
  /** Takes no body, but clients send an empty form. */
  emptyForm?: true
  /** Only there for clients that have not gone on yet; every answer says so in its `Deprecation` header. */
  deprecated?: true
  /** Its answer has something in it that is shown once: it is never kept for who sends the request again. */
  answersSecrets?: true
  /** Largest body, in bytes; 1 MiB where nothing is said. */
  bodyLimit?: number
  /** The successful ones. */
  responses: R
  /** Statuses of the errors that the published interface names for it. Any other may occur as well. */
  errors?: readonly number[]
  handle(
    input: Input<Static<Params>, Static<Query>, Static<Body>, Anonymous>,
  ): Promise<BodiesOf<R> | Answer<BodiesOf<R>>>
}

/** An operation as the registry, the server and the document see it: plain data and a function. */
export type Operation<Id extends OperationId = OperationId> = Omit<
  Description<Id, TObject, TObject, TSchema, Responses, boolean>,
  'handle'
> &
  Route & {
    handle(input: Input<unknown, unknown, unknown, boolean>): Promise<unknown>
  }

/** A response as it is described, however it was written down. */
export function describedResponse(response: Responses[number]): ResponseDescription {
  if (response === Empty) return {}
  return 'files' in response || 'body' in response ? response : { body: response as TSchema }
}

/** Declares an operation. The types of what `handle` gets and gives follow from the schemas. */
export function operation<
  const Id extends OperationId,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  const R extends Responses,
  const Anonymous extends boolean = false,
>(description: Description<Id, Params, Query, Body, R, Anonymous>): Operation<Id> {
  return { ...routeOf(description.id), ...description } as unknown as Operation<Id>
}
