import type { Security } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { CurrentPasswordField } from '../../ui/current-password-field.tsx'
import { useSecurityRefresh } from './queries.ts'

const knownErrors: KnownErrors = {
  WRONG_PASSWORD: ['password', 'security.wrongPassword'],
  email: ['email', 'form.badEmail'],
}

interface Props {
  state: Security['email']
  canChange: boolean
}

/** The e-mail address of the account and whether it is verified. */
export function EmailSection({ state, canChange }: Props) {
  const { text } = useTexts()
  const { address, isVerified, waiting, canBeVerified } = state
  return (
    <section aria-labelledby="email">
      <h2 id="email">{text('email.title')}</h2>
      <p>
        {address === null
          ? text('security.emailNone')
          : text(isVerified ? 'security.emailIsYours' : 'security.emailIsUnknown', { email: address })}
      </p>
      <Notice>{waiting === null ? undefined : text('security.emailWaiting', { email: waiting })}</Notice>
      {!canBeVerified && <p>{text('security.emailNoMail')}</p>}
      {canBeVerified && canChange && <EmailForm address={address ?? ''} />}
    </section>
  )
}

function EmailForm({ address }: { address: string }) {
  const { text } = useTexts()
  const refresh = useSecurityRefresh()
  const submission = useSubmission(knownErrors, async (form) => {
    await call('changeEmail', {
      body: { email: String(form.get('email')), password: String(form.get('password')) },
    })
    await refresh()
  })
  return (
    <SubmissionForm submission={submission} action={text('security.emailSend')}>
      <Field
        name="email"
        type="email"
        label={text('signUp.email')}
        hint={text('security.emailHint')}
        defaultValue={address}
        autoComplete="email"
        maxLength={254}
        isRequired
      />
      <CurrentPasswordField name="password" />
    </SubmissionForm>
  )
}
