import { Field } from '../fields.tsx'
import { useTexts } from '../texts.ts'

/** Asks for the password of who is signed in, as `password`. */
export function OwnPassword() {
  const { text } = useTexts()
  return (
    <Field
      name="password"
      type="password"
      label={text('signIn.password')}
      autoComplete="current-password"
      maxLength={1000}
      isRequired
    />
  )
}
