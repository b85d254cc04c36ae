import Type from 'typebox'
import { ApiAccessToken, OrganizationUserAccessTokenCreation } from '../../contract/organizations.ts'
import type { Scope } from '../../contract/scopes.ts'
import { fail } from '../../errors.ts'
import { dateTime } from '../../lib/date-time.ts'
import { Answer, operation } from '../../operation.ts'
import { preparePersonalToken } from '../access-tokens/personal-token.ts'
import { insertAccessToken } from '../access-tokens/store.ts'
import { audit } from '../audit/audit.ts'
import { canActAs, checkAdministrator, loadMember } from './policy.ts'

const dayMilliseconds = 24 * 60 * 60 * 1000

export const createOrganizationUserAccessToken = operation({
  id: 'createOrganizationUserAccessToken',
  tag: 'Organization',
  summary: 'Make a token that acts for a member',
  description:
    'For members of a role below one’s own; it holds for 24 hours and for the scopes that are asked for, of which none may ' +
    'administer the organization. The token is in this answer and nowhere else. It ends when the member, or who made it, is ' +
    'removed or gets another role.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  params: Type.Object({ user: Type.String() }),
  body: OrganizationUserAccessTokenCreation,
  answersSecrets: true,
  responses: { 200: ApiAccessToken },
  async handle({ ctx, actor, params, body }) {
    const administrator = checkAdministrator(actor)
    const scopes = delegable(body.scopes)
    const { token, row } = await ctx.transaction(async (tx) => {
      const user = await loadMember(tx, administrator, params.user)
      if (!canActAs(administrator, user.organization_role)) fail('ROLE_OUT_OF_REACH')
      const expiresAt = ctx.clock.now() + dayMilliseconds
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

/** Each of these once. @throws INVALID_PARAMETER where there is none, or one that administers an organization */
function delegable(asked: readonly Scope[]): Scope[] {
  if (asked.length === 0) fail('INVALID_PARAMETER', { param: 'scopes', message: '`scopes` must name at least one.' })
  const at = asked.findIndex((scope) => scope.startsWith('edu.admin'))
  if (at >= 0) {
    const param = `scopes.${at}`
    fail('INVALID_PARAMETER', {
      param,
      message: `\`${param}\` cannot be given to a token that acts for somebody else.`,
    })
  }
  return [...new Set(asked)]
}
