import Type from 'typebox'
import { ApiAccessToken, OrganizationUserAccessTokenCreation } from '../../../contract/organizations.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { fail } from '../../../errors.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { Answer } from '../../../answer.ts'
import { checkSessionExists } from '../../../auth/sessions/session-user.ts'
import { operation } from '../../../operation.ts'
import { preparePersonalToken } from '../../../auth/tokens/personal-token.ts'
import { insertAccessToken } from '../../../auth/tokens/store.ts'
import { audit } from '../audit/audit.ts'
import { canActAs, checkAdministrator, loadMember } from './policy.ts'
import { day } from '../../../lib/durations.ts'

export const createOrganizationUserAccessToken = operation({
  id: 'createOrganizationUserAccessToken',
  tag: 'Organization',
  summary: 'Create a token that acts for a member',
  description:
    'The member’s role must be below the caller’s own role. The token is valid for 24 hours and for ' +
    'the requested scopes, which must not include administration of the organization. The token ' +
    'appears only in this response. It ends when the member or its creator is removed or gets ' +
    'another role.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  params: Type.Object({ user: Type.String() }),
  body: OrganizationUserAccessTokenCreation,
  returnsSecret: true,
  responses: { 200: ApiAccessToken },
  async handle({ ctx, actor, params, body }) {
    const administrator = checkAdministrator(actor)
    const scopes = checkScopes(body.scopes)
    const { token, row } = await ctx.transaction(async (tx) => {
      await checkSessionExists(ctx, tx, actor)
      const user = await loadMember(tx, administrator, params.user)
      if (!canActAs(administrator, user.organization_role)) fail('ROLE_OUT_OF_REACH')
      const expiresAt = ctx.clock.now() + day
      const prepared = preparePersonalToken(ctx, user.id, 'Made by an administrator', scopes, expiresAt)
      await insertAccessToken(tx, { ...prepared.row, created_by: actor.id })
      await audit(tx, ctx, {
        organization: administrator.organization,
        actor: actor.id,
        action: 'user.access-token-created',
        subject: user.id,
        details: { token: prepared.row.id, scopes },
      })
      return prepared
    })
    const { id, name, created_at, expires_at } = row
    return new Answer(
      {
        id,
        name,
        token,
        issuedDate: dateTime(created_at),
        expirationDate: expires_at === null ? undefined : dateTime(expires_at),
        scopes,
      },
      { headers: { 'Cache-Control': 'no-store' } },
    )
  },
})

/**
 * Removes duplicates from the scopes.
 * @throws INVALID_PARAMETER if no scope remains, or one that administers an organization
 */
function checkScopes(requested: readonly Scope[]): Scope[] {
  if (requested.length === 0)
    fail('INVALID_PARAMETER', { param: 'scopes', message: '`scopes` must contain at least one scope.' })
  const index = requested.findIndex((scope) => scope.startsWith('edu.admin'))
  if (index >= 0) {
    const param = `scopes.${index}`
    fail('INVALID_PARAMETER', {
      param,
      message: `\`${param}\` is not allowed for a token that acts for another user.`,
    })
  }
  return [...new Set(requested)]
}
