import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'

const knownErrors: KnownErrors = { WRONG_CODE: ['code', 'security.wrongCode'] }

interface Props {
  /** The text of the submit button. */
  action: string
  /** Whether the user has an authenticator app. Otherwise only recovery codes are accepted. */
  hasApp: boolean
  /** Rejects with WRONG_CODE if the code is wrong. */
  onSubmit(code: string): Promise<void>
}

/** Asks for a code of the second factor: from the authenticator app, or a recovery code. */
export function CodeForm({ action, hasApp, onSubmit }: Props) {
  const { text } = useTexts()
  const submission = useSubmission(knownErrors, (form) => onSubmit(String(form.get('code'))))
  return (
    <SubmissionForm submission={submission} action={action}>
      <Field
        name="code"
        label={text(hasApp ? 'security.code' : 'secondStep.recoveryCode')}
        {...(hasApp && { hint: text('secondStep.hint') })}
        autoComplete="one-time-code"
        maxLength={40}
        isRequired
      />
    </SubmissionForm>
  )
}
