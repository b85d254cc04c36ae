import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { CurrentPasswordField } from '../../ui/current-password-field.tsx'

const knownErrorsFor = (minLength: number): KnownErrors => ({
  WRONG_PASSWORD: ['currentPassword', 'security.wrongPassword'],
  COMMON_PASSWORD: ['password', 'form.commonPassword'],
  PASSWORD_LIKE_NAME: ['password', 'form.passwordLikeName'],
  password: ['password', 'form.badPassword', { min: minLength }],
})

export function PasswordSection({ minLength }: { minLength: number }) {
  const { text } = useTexts()
  const queries = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [changes, setChanges] = useState(0)
  const knownErrors = useMemo(() => knownErrorsFor(minLength), [minLength])
  const submission = useSubmission(knownErrors, async (form) => {
    const [currentPassword, password] = [String(form.get('currentPassword')), String(form.get('password'))]
    await call('changePassword', { body: { currentPassword, password } })
    setChanges(changes + 1)
    // The new form has no focus.
    heading.current?.focus()
    // The change also ends other sessions, tokens and the access of apps.
    await queries.invalidateQueries()
  })
  return (
    <section aria-labelledby="password">
      <h2 id="password" ref={heading} tabIndex={-1}>
        {text('signIn.password')}
      </h2>
      <Notice>{changes > 0 ? text('security.passwordChanged') : undefined}</Notice>
      {/* The key empties the fields after each change. */}
      <SubmissionForm key={changes} submission={submission} action={text('security.changePassword')}>
        <CurrentPasswordField name="currentPassword" />
        <Field
          name="password"
          type="password"
          label={text('form.newPassword')}
          hint={text('form.passwordHint', { min: minLength })}
          autoComplete="new-password"
          minLength={minLength}
          maxLength={1000}
          isRequired
        />
        <p className="hint">{text('security.passwordEnds')}</p>
      </SubmissionForm>
    </section>
  )
}
