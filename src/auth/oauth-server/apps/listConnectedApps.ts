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
    return Array.from(byApp, ([id, allowed]) => presentConnected(id, allowed))
  },
})

/** Presents the authorizations of one app as one entry: all scopes together, and the time of the first authorization. */
function presentConnected(id: string, allowed: readonly AppAuthorization[]) {
  const [{ app_name: name, created_at }] = allowed as [AppAuthorization]
  const scopes = new Set(allowed.flatMap(({ scopes }): Scope[] => JSON.parse(scopes)))
  return { id, name, scopes: [...scopes], since: dateTime(created_at) }
}
