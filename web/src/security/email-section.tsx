import { Button } from 'react-aria-components/Button'
import type { Security } from '../../../src/contract/account-security.ts'
import { changeEmail } from '../client.ts'
import { Field } from '../fields.tsx'
import { Notice } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { OwnPassword } from './own-password.tsx'
import { useTexts } from '../texts.ts'

const wrong = {
  WRONG_PASSWORD: ['password', 'security.wrongPassword'],
  email: ['email', 'form.badEmail'],
} as const

interface Props {
  state: Security['email']
  canChange: boolean
  onChanged(): Promise<void>
}

/** The address of the account, and whether it is known to be the person's. */
export function EmailSection({ state, canChange, onChanged }: Props) {
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
      {canBeVerified && canChange && <EmailForm address={address ?? ''} onChanged={onChanged} />}
    </section>
  )
}

function EmailForm({ address, onChanged }: { address: string; onChanged(): Promise<void> }) {
  const { text } = useTexts()
  const submission = useSubmission(wrong, async (form) => {
    await changeEmail({ email: String(form.get('email')), password: String(form.get('password')) })
    await onChanged()
  })
  return (
    <SubmissionForm submission={submission}>
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
      <OwnPassword />
      <Notice isWrong>{submission.error}</Notice>
      <Button type="submit">{text('security.emailSend')}</Button>
    </SubmissionForm>
  )
}
