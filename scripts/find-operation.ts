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
  const segments = pathname
    .replace(/^\/v2(?=\/|$)/, '')
    .replace(/\/$/, '')
    .split('/')
  return routes
    .filter((route) => route.method === method.toUpperCase() && matches(route.path.split('/'), segments))
    .sort((a, b) => parameterPlaces(a.path) - parameterPlaces(b.path))
    .at(0)
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  )
}

/** A bit a segment: of two templates that match, the smaller one is literal for longer, and is the one that is meant. */
function parameterPlaces(path: string): number {
  const bits = path.split('/').map((part) => (isParameter(part) ? '1' : '0'))
  return Number.parseInt(bits.join(''), 2)
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}
