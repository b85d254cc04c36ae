import { DisplayChange } from '../../../contract/account.ts'
import { Empty, operation } from '../../../operation.ts'
import { saveDisplay } from './store.ts'

export const changeDisplay = operation({
  id: 'changeDisplay',
  accepts: 'session',
  tag: 'Account',
  summary: 'Change how the pages are shown',
  body: DisplayChange,
  responses: { 204: Empty },
  async handle({ ctx, actor, body: { simplePages } }) {
    await ctx.transaction((tx) => saveDisplay(tx, actor.id, simplePages))
  },
})
