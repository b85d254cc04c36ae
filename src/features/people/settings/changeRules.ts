import { checkIsSignedIn } from '../../../auth/sessions/session-user.ts'
import { RuleChange } from '../../../contract/organization-settings.ts'
import { Empty, operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { changeSettings } from './change.ts'
import { prove } from './proof.ts'

export const changeRules = operation({
  id: 'changeRules',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Change rules of the organization',
  description:
    'Requires the password of the caller, or a recent sign-in if the caller signs in without a password here. A rule that ' +
    'would lock the caller out is refused. The rule of the provider ends all sessions of members, also that of the caller.',
  body: RuleChange,
  responses: { 204: Empty },
  async handle({ ctx, actor, body: { rules, password } }) {
    const { organization } = checkAdministrator(actor)
    await prove(ctx, actor, password)
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      await changeSettings(ctx, tx, { organization, by: actor.id, rules, details: rules })
    })
  },
})
