import { type ExtensionId, extensions } from './extensions.ts'
import { type PublishedId, published, type Route } from './published.ts'

/** The id of an operation, of the published interface or beyond it. */
export type OperationId = PublishedId | ExtensionId

/** Every operation there may be: id → method and path. */
export const routes = { ...published, ...extensions }

export function routeOf(id: OperationId): Route {
  const [method, path] = routes[id].split(' ') as [Route['method'], Route['path']]
  return { method, path }
}
