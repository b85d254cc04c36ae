import { CreatedPersonalToken, NewPersonalToken } from '../../contract/account.ts'
import { Answer } from '../../answer.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { checkIsSignedIn } from '../sessions/session-user.ts'
import { endColumnOf } from './lifetime.ts'
import { findOrganization } from '../../features/people/organizations/store.ts'
import { insertPersonalToken, preparePersonalToken, presentPersonalToken } from './personal-token.ts'
import { countPersonalTokens } from './store.ts'
import { day } from '../../lib/durations.ts'

/** Maximum number of personal tokens of one account that have not expired. */
const maxTokens = 100

export const createPersonalToken = operation({
  id: 'createPersonalToken',
  accepts: 'session',
  tag: 'Account',
  summary: 'Create a personal token',
  description: 'The answer is the only one that contains the token itself.',
  body: NewPersonalToken,
  returnsSecret: true,
  responses: { 201: CreatedPersonalToken },
  async handle({ ctx, actor, body: { name, scopes, days } }) {
    if (name.trim() === '') fail('INVALID_PARAMETER', { param: 'name', message: '`name` is empty.' })
    const now = ctx.clock.now()
    const organization = actor.organization && (await findOrganization(ctx.db.read, actor.organization))
    const requested = { created_at: now, expires_at: days ? now + days * day : null }
    const expiresAt = endColumnOf(requested, organization ? organization.max_token_ms : null) ?? undefined
    const { token, row } = preparePersonalToken(ctx, actor.id, name.trim(), [...new Set(scopes)], expiresAt)
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      if ((await countPersonalTokens(tx, { user: actor.id, now })) >= maxTokens) fail('TOO_MANY_TOKENS')
      await insertPersonalToken(ctx, tx, row)
    })
    return new Answer({ ...presentPersonalToken(row), token }, { status: 201 })
  },
})
