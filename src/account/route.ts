import type { Static, TObject, TSchema } from 'typebox'
import type { Visitor } from '../http/session.ts'
import type { Answer, Context, File, RequestFacts } from '../operation.ts'
import type { Texts } from '../texts/catalogue.ts'

/** A request of somebody who is signed in with a browser, and not by a link that somebody else has made. */
export interface Visit<Params = unknown, Query = unknown, Body = unknown> {
  readonly ctx: Context
  readonly visitor: Visitor
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly request: RequestFacts
  /** In the language of the browser, for what is sent beyond the answer. */
  readonly texts: Texts
}

interface Description<Params extends TObject, Query extends TObject, Body extends TSchema, Response extends TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /account/data, with {parameters}. */
  path: `/${string}`
  params?: Params
  query?: Query
  body?: Body
  /** Largest body, in bytes; 64 KiB where nothing is said. */
  bodyLimit?: number
  /** Of the answer; 200 where nothing is said, 204 where there is no schema of a response. */
  status?: 201
  /** What is not declared never leaves the server. Without one the answer is empty. */
  response?: Response
  handle(
    visit: Visit<Static<Params>, Static<Query>, Static<Body>>,
  ): Promise<TSchema extends Response ? void : Static<Response> | Answer<Static<Response>>> | Promise<File>
}

/** A route of the browser app as the server sees it: plain data and a function. */
export type AccountRoute = Omit<Description<TObject, TObject, TSchema, TSchema>, 'handle'> & {
  handle(visit: Visit): Promise<unknown>
}

/**
 * Declares a route of the browser app under /account/data, which is opened by the cookie of a session. The types of what
 * `handle` gets and gives follow from the schemas, which stand in contract/account.ts.
 */
export function accountRoute<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Response extends TSchema = TSchema,
>(description: Description<Params, Query, Body, Response>): AccountRoute {
  return description as unknown as AccountRoute
}
