import Type from 'typebox'
import { checkIsSignedIn } from '../../../auth/sessions/session-user.ts'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { loadManaged } from './policy.ts'
import { requiresProvider } from './store.ts'

export const sendMemberPasswordReset = operation({
  id: 'sendMemberPasswordReset',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Send a member a link to choose another password',
  description:
    'The link is mailed to the address of the member, works once and within 30 minutes. The present password and the ' +
    'sign-ins stay until the link is used. A member gets at most ten of these mails in a day from each administrator.',
  params: Type.Object({ user: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      const { id: user, email, locale: language } = await loadManaged(tx, actor, params.user)
      if (!ctx.mailer) fail('NO_MAILS_SENT')
      if (await requiresProvider(tx, user)) fail('PROVIDER_REQUIRED')
      if (email === null) fail('MEMBER_WITHOUT_EMAIL')
      const payload = { user, language, isTrustedDevice: false, by: actor.id }
      await ctx.jobs.enqueue(tx, { kind: 'send-password-reset', payload })
    })
  },
})
