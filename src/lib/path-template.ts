/** The patterns of the routes, which are compiled once. */
const patterns = new Map<string, RegExp>()

/**
 * Returns a pattern that matches the paths of a template. A parameter such as `{score}` matches one segment of at least
 * one character. A trailing slash is ignored.
 * @param template a path with {parameters}
 */
export function pathPattern(template: string): RegExp {
  const pattern =
    patterns.get(template) ??
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
  patterns.set(template, pattern)
  return pattern
}

/** Returns the template in the syntax of the router of the server: `/scores/:score`. */
export const routerPath = (template: string): string => template.replaceAll(/\{(\w+)\}/g, ':$1')

/**
 * Returns the route of a path. If several templates match, the one whose first parameter comes last wins: the path
 * `/collections/trash` finds `/collections/trash` and not `/collections/{collection}`.
 */
export function findByPath<Route extends { readonly path: string }>(
  routes: readonly Route[],
  path: string,
): Route | undefined {
  return routes
    .filter((route) => pathPattern(route.path).test(path))
    .sort((a, b) => parameterMask(a.path) - parameterMask(b.path))
    .at(0)
}

/**
 * Returns a bit for each segment, the first segment in the highest bit: 1 for a parameter, 0 for literal text. Templates
 * that match the same path have the same number of segments.
 */
function parameterMask(template: string): number {
  const bits = template.split('/').map((segment) => (segment.startsWith('{') ? '1' : '0'))
  return Number.parseInt(bits.join(''), 2)
}
