import { Button } from 'react-aria-components/Button'
import { Notice } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { OwnPassword } from './own-password.tsx'

const wrong = { WRONG_PASSWORD: ['password', 'security.wrongPassword'] } as const

interface Props {
  action: string
  onProve(password: string): Promise<void>
}

/** Does what takes more than to find a browser open: the password. */
export function ProofForm({ action, onProve }: Props) {
  const submission = useSubmission(wrong, (form) => onProve(String(form.get('password'))))
  return (
    <SubmissionForm submission={submission}>
      <OwnPassword />
      <Notice isWrong>{submission.error}</Notice>
      <Button type="submit">{action}</Button>
    </SubmissionForm>
  )
}
