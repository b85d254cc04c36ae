import { useTexts } from '../app/texts.ts'
import { Field } from './fields.tsx'

/** A field for the password of the user. Use `currentPassword` in a form that also has a new password. */
export function CurrentPasswordField({ name }: { name: 'password' | 'currentPassword' }) {
  const { text } = useTexts()
  return (
    <Field
      name={name}
      type="password"
      label={text(name === 'password' ? 'signIn.password' : 'security.currentPassword')}
      autoComplete="current-password"
      maxLength={1000}
      isRequired
    />
  )
}
