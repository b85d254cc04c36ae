import { findByPath } from '../src/lib/path-template.ts'

/** An operation with its method and path. */
export interface Route {
  readonly id: string
  readonly method: string
  /** The path below /v2, with {parameters}. */
  readonly path: string
}

/**
 * Finds the operation that handles a request.
 * @param address a path, with or without /v2, or a whole URL; the query is ignored
 */
export function findOperation(routes: readonly Route[], method: string, address: string): Route | undefined {
  const { pathname } = new URL(address, 'http://localhost')
  return findByPath(
    routes.filter((route) => route.method === method.toUpperCase()),
    pathname.replace(/^\/v2(?=\/|$)/, ''),
  )
}
