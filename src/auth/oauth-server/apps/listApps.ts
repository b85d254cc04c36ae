import { Apps } from '../../../contract/account.ts'
import { operation } from '../../../operation.ts'
import { presentApp } from './own-apps.ts'
import { listAppsOf } from './store.ts'

export const listApps = operation({
  id: 'listApps',
  accepts: 'session',
  tag: 'Account',
  summary: 'List the apps that the user has registered',
  responses: { 200: Apps },
  handle: async ({ ctx, actor }) => (await listAppsOf(ctx.db.read, actor.id)).map(presentApp),
})
