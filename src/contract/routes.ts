import { type ExtensionId, extensions } from './extensions.ts'
import { type InternalId, internal } from './internal.ts'
import { type PublishedId, published, type Route } from './published.ts'

/** The id of an operation: of the published interface, of an extension, or of our own pages. */
export type OperationId = PublishedId | ExtensionId | InternalId

/** The path prefix of an operation. */
export type Mount = '/v2' | '/internal'

/** Every operation: id → method and path. */
export const routes = { ...published, ...extensions, ...internal }

/** Returns where an operation is called. The path is relative to the mount. */
export function routeOf(id: OperationId): Route & { mount: Mount } {
  const [method, path] = routes[id].split(' ') as [Route['method'], Route['path']]
  return { mount: id in internal ? '/internal' : '/v2', method, path }
}
