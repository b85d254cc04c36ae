import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { CurrentPasswordField } from './current-password-field.tsx'

const knownErrors: KnownErrors = {
  WRONG_PASSWORD: ['currentPassword', 'security.wrongPassword'],
  password: ['password', 'form.badPassword'],
}

export function PasswordSection() {
  const { text } = useTexts()
  const queries = useQueryClient()
  const [changes, setChanges] = useState(0)
  const submission = useSubmission(knownErrors, async (form) => {
    const [currentPassword, password] = [String(form.get('currentPassword')), String(form.get('password'))]
    await call('changePassword', { body: { currentPassword, password } })
    setChanges(changes + 1)
    // The change also ends other sessions, tokens and the access of apps.
    await queries.invalidateQueries()
  })
  return (
    <section aria-labelledby="password">
      <h2 id="password">{text('signIn.password')}</h2>
      <Notice>{changes > 0 ? text('security.passwordChanged') : undefined}</Notice>
      {/* The key empties the fields after each change. */}
      <SubmissionForm key={changes} submission={submission} action={text('security.changePassword')}>
        <CurrentPasswordField name="currentPassword" />
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
      </SubmissionForm>
    </section>
  )
}
