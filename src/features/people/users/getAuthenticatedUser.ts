import Type from 'typebox'
import { UserDetails } from '../../../contract/users.ts'
import { operation } from '../../../operation.ts'
import { listGroupIds } from '../groups/store.ts'
import { loadUser } from './policy.ts'
import { presentIdentity, presentOwnProfile } from './present.ts'

export const getAuthenticatedUser = operation({
  id: 'getAuthenticatedUser',
  tag: 'Account',
  summary: 'Get the account that the token belongs to',
  description:
    'A token that has only the scope `account.public_profile` receives the profile of a member of ' +
    'an organization without names. A token with the scope `account.email` receives `email` as well, ' +
    'and without the other two scopes nothing else than the id and the address.',
  scopes: ['account.public_profile', 'account.education_profile'],
  furtherScopes: ['account.email'],
  query: Type.Object({
    onlyId: Type.Optional(
      Type.Boolean({ default: false, description: 'Returns only the fields that identify the account.' }),
    ),
  }),
  responses: { 200: UserDetails },
  async handle({ ctx, actor, query }) {
    const user = await loadUser(ctx.db.read, actor, 'me')
    if (query.onlyId) return presentIdentity(user)
    const groups = (await listGroupIds(ctx.db.read, [user.id])).get(user.id) ?? []
    return presentOwnProfile(user, actor, ctx.config.publicUrl, groups)
  },
})
