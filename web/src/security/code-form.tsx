import { Button } from 'react-aria-components/Button'
import { Field } from '../fields.tsx'
import { Notice } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { useTexts } from '../texts.ts'

const wrong = { WRONG_CODE: ['code', 'security.wrongCode'] } as const

interface Props {
  action: string
  onProve(code: string): Promise<void>
}

/** Does what takes the second factor: a code of the app, or a recovery code. */
export function CodeForm({ action, onProve }: Props) {
  const { text } = useTexts()
  const submission = useSubmission(wrong, (form) => onProve(String(form.get('code'))))
  return (
    <SubmissionForm submission={submission}>
      <Field
        name="code"
        label={text('security.code')}
        hint={text('secondStep.hint')}
        autoComplete="one-time-code"
        maxLength={40}
        isRequired
      />
      <Notice isWrong>{submission.error}</Notice>
      <Button type="submit">{action}</Button>
    </SubmissionForm>
  )
}
