import { Security } from '../../contract/account-security.ts'
import { operation } from '../../operation.ts'
import { composeSecurity } from './compose.ts'

export const getSecurity = operation({
  id: 'getSecurity',
  accepts: 'session',
  beforeSecondFactor: true,
  tag: 'Account',
  summary: 'Get how the user can sign in: password, second factor, address and sessions',
  responses: { 200: Security },
  handle: ({ ctx, actor }) => composeSecurity(ctx, actor),
})
