import { useTexts } from '../../app/texts.ts'
import { Field } from '../../ui/fields.tsx'

/** Asks for the name by which the user recognizes a passkey. */
export function PasskeyNameField({ present = '' }: { present?: string }) {
  const { text } = useTexts()
  return (
    <Field
      name="name"
      label={text('passkeys.name')}
      hint={text('passkeys.nameHint')}
      defaultValue={present}
      maxLength={100}
      isRequired
    />
  )
}
