import { ConnectedApps } from '../../../contract/account.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { operation } from '../../../operation.ts'
import { type AppAuthorization, listAuthorizations } from '../../tokens/authorizations.store.ts'

export const listConnectedApps = operation({
  id: 'listConnectedApps',
  accepts: 'session',
  tag: 'Account',
  summary: 'List the apps that have access to the account',
  responses: { 200: ConnectedApps },
  async handle({ ctx, actor }) {
    const by = { user: actor.id, now: ctx.clock.now() }
    const byApp = Map.groupBy(await listAuthorizations(ctx.db.read, by), ({ app_id }) => app_id)
    return [...byApp.values()].map(presentConnected)
  },
})

/** Presents the authorizations of one app as one entry: all scopes together, and the time of the first authorization. */
function presentConnected(allowed: readonly AppAuthorization[]) {
  const [first] = allowed
  const scopes = new Set(allowed.flatMap(({ scopes }): Scope[] => JSON.parse(scopes)))
  return {
    id: first?.app_id ?? '',
    name: first?.app_name ?? '',
    scopes: [...scopes],
    since: dateTime(first?.created_at ?? 0),
  }
}
