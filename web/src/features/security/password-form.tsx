import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { CurrentPasswordField } from '../../ui/current-password-field.tsx'

const knownErrors: KnownErrors = { WRONG_PASSWORD: ['password', 'security.wrongPassword'] }

interface Props {
  /** The text of the submit button. */
  action: string
  /** Rejects with WRONG_PASSWORD if the password is wrong. */
  onSubmit(password: string): Promise<void>
}

/** Asks for the password of the user before an action. */
export function PasswordForm({ action, onSubmit }: Props) {
  const submission = useSubmission(knownErrors, (form) => onSubmit(String(form.get('password'))))
  return (
    <SubmissionForm submission={submission} action={action}>
      <CurrentPasswordField name="password" />
    </SubmissionForm>
  )
}
