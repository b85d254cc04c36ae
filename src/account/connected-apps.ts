import { ById, ConnectedApps } from '../contract/account.ts'
import type { Scope } from '../contract/scopes.ts'
import { type Allowed, listAuthorizations } from '../features/access-tokens/authorizations.ts'
import { endAccessOf } from '../features/access-tokens/own-access.ts'
import { dateTime } from '../lib/date-time.ts'
import { accountRoute } from './route.ts'

/** The apps to which somebody has given access. */
export const connectedAppRoutes = [
  accountRoute({
    method: 'GET',
    path: '/connected-apps',
    response: ConnectedApps,
    async handle({ ctx, visitor }) {
      const by = { user: visitor.user.id, now: ctx.clock.now() }
      const byApp = Map.groupBy(await listAuthorizations(ctx.db.read, by), ({ app_id }) => app_id)
      return [...byApp.values()].map(presentConnected)
    },
  }),

  accountRoute({
    method: 'DELETE',
    path: '/connected-apps/{id}',
    params: ById,
    async handle({ ctx, visitor, params: { id } }) {
      await ctx.transaction((tx) => endAccessOf(ctx, tx, { user: visitor.user.id, app: id }))
      ctx.actors.forget()
    },
  }),
]

/** One app, however often somebody has allowed it something: what it may do altogether, and since when. */
function presentConnected(allowed: readonly Allowed[]) {
  const [first] = allowed
  const scopes = new Set(allowed.flatMap(({ scopes }): Scope[] => JSON.parse(scopes)))
  return {
    id: first?.app_id ?? '',
    name: first?.app_name ?? '',
    scopes: [...scopes],
    since: dateTime(first?.created_at ?? 0),
  }
}
