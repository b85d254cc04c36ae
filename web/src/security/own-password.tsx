import { Field } from '../fields.tsx'
import { useTexts } from '../texts.ts'

/** Asks for the password of who is signed in; `current` where the form asks for another one as well. */
export function OwnPassword({ current = false }: { current?: boolean }) {
  const { text } = useTexts()
  return (
    <Field
      name={current ? 'currentPassword' : 'password'}
      type="password"
      label={text(current ? 'security.currentPassword' : 'signIn.password')}
      autoComplete="current-password"
      maxLength={1000}
      isRequired
    />
  )
}
