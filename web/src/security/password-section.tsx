import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { changePassword } from '../client.ts'
import { Field } from '../fields.tsx'
import { Notice } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { useTexts } from '../texts.ts'
import { OwnPassword } from './own-password.tsx'

const wrong = {
  WRONG_PASSWORD: ['currentPassword', 'security.wrongPassword'],
  password: ['password', 'form.badPassword'],
} as const

export function PasswordSection({ onChanged }: { onChanged(): Promise<void> }) {
  const { text } = useTexts()
  const [changes, setChanges] = useState(0)
  const submission = useSubmission(wrong, async (form) => {
    const [currentPassword, password] = [String(form.get('currentPassword')), String(form.get('password'))]
    await changePassword({ currentPassword, password })
    setChanges(changes + 1)
    await onChanged()
  })
  return (
    <section aria-labelledby="password">
      <h2 id="password">{text('signIn.password')}</h2>
      <Notice>{changes > 0 ? text('security.passwordChanged') : undefined}</Notice>
      {/* An empty one after each change. */}
      <SubmissionForm key={changes} submission={submission}>
        <OwnPassword current />
        <Field
          name="password"
          type="password"
          label={text('form.newPassword')}
          hint={text('form.passwordHint')}
          autoComplete="new-password"
          minLength={6}
          maxLength={1000}
          isRequired
        />
        <p className="hint">{text('security.passwordEnds')}</p>
        <Notice isWrong>{submission.error}</Notice>
        <Button type="submit">{text('security.changePassword')}</Button>
      </SubmissionForm>
    </section>
  )
}
