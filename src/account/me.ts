import { Me } from '../contract/account.ts'
import { accountRoute } from './route.ts'

export const meRoutes = [
  accountRoute({
    method: 'GET',
    path: '/me',
    response: Me,
    async handle({ visitor: { user } }) {
      const { id, username, email, organization_role } = user
      return { id, username, email, organizationRole: organization_role }
    },
  }),
]
