import { findByPath } from '../src/lib/path-template.ts'

/** An operation by how it is called. */
export interface Route {
  readonly id: string
  readonly method: string
  /** Below /v2, with {parameters}. */
  readonly path: string
}

/**
 * The operation that a request goes to.
 * @param address a path, with or without /v2, or a whole URL; a query is of no account
 */
export function findOperation(routes: readonly Route[], method: string, address: string): Route | undefined {
  const { pathname } = new URL(address, 'http://localhost')
  return findByPath(
    routes.filter((route) => route.method === method.toUpperCase()),
    pathname.replace(/^\/v2(?=\/|$)/, ''),
  )
}
