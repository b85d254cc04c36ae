/**
 * What the paths of a template look like. A parameter, as `{score}`, is one segment of at least one character; a slash at
 * the end is of no account.
 * @param template a path with {parameters}
 */
export function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
}

/**
 * The route that a path leads to: of those whose templates match it, the one that is literal for longest, so that
 * `/collections/trash` is met before `/collections/{collection}`.
 */
export function findByPath<Route extends { readonly path: string }>(
  routes: readonly Route[],
  path: string,
): Route | undefined {
  return routes
    .filter((route) => pathPattern(route.path).test(path))
    .sort((a, b) => parameterPlaces(a.path) - parameterPlaces(b.path))
    .at(0)
}

/** A bit a segment, the first one highest; of two templates that match a path, both have as many. */
function parameterPlaces(template: string): number {
  const bits = template.split('/').map((segment) => (segment.startsWith('{') ? '1' : '0'))
  return Number.parseInt(bits.join(''), 2)
}
