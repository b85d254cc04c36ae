import Type from 'typebox'
import { UserSigninLink, UserSigninLinkCreation } from '../../../contract/organizations.ts'
import { fail } from '../../../errors.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { isPathOfThisSite } from '../../../lib/site-path.ts'
import { Answer } from '../../../answer.ts'
import { checkSessionExists } from '../../../auth/sessions/session-user.ts'
import { operation } from '../../../operation.ts'
import { audit } from '../audit/audit.ts'
import { canActAs, checkAdministrator, loadMember } from './policy.ts'
import { createSignInLink } from './sign-in-links.ts'

export const createOrganizationUserSigninLink = operation({
  id: 'createOrganizationUserSigninLink',
  tag: 'Organization',
  summary: 'Create a link that signs a member in',
  description:
    'The member’s role must be below the caller’s own role. The link works once, within 15 minutes, ' +
    'for the first person who opens it. It ends when the member or its creator is removed or gets ' +
    'another role.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  params: Type.Object({ user: Type.String() }),
  body: UserSigninLinkCreation,
  returnsSecret: true,
  responses: { 200: UserSigninLink },
  async handle({ ctx, actor, params, body: { destinationPath: destination = '/' } }) {
    const administrator = checkAdministrator(actor)
    if (!isPathOfThisSite(destination)) {
      const message = '`destinationPath` must be a path of this site: one `/`, and no `//` or `\\` behind it.'
      fail('INVALID_PARAMETER', { param: 'destinationPath', message })
    }
    const { token, expiresAt } = await ctx.transaction(async (tx) => {
      await checkSessionExists(ctx, tx, actor)
      const user = await loadMember(tx, administrator, params.user)
      if (!canActAs(administrator, user.organization_role)) fail('ROLE_OUT_OF_REACH')
      await audit(tx, ctx, {
        organization: administrator.organization,
        actor: actor.id,
        action: 'user.signin-link-created',
        subject: user.id,
        // A query or fragment may contain a secret.
        details: { destination: destination.replace(/[?#].*/s, '') },
      })
      return createSignInLink(ctx, tx, { user: user.id, destination, by: actor.id })
    })
    const url = `${ctx.config.publicUrl}/auth/signin-link/${token}`
    const link = { url, token, expirationDate: dateTime(expiresAt) }
    return new Answer(link, { headers: { 'Cache-Control': 'no-store' } })
  },
})
