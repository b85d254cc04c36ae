import { useEffect, useRef } from 'react'
import type { PasskeyCreation } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { PasskeyNameField } from './passkey-name-field.tsx'
import { createPasskey } from './webauthn.ts'

const knownErrors: KnownErrors = { name: ['name', 'passkeys.badName'] }

interface Props {
  options: PasskeyCreation
  /** @param recoveryCodes null if the account has some already */
  onAdded(message: string, recoveryCodes: readonly string[] | null): Promise<void>
  onCancel(): void
}

/** Lets the user name and create a passkey, and adds it to the account. */
export function NewPasskey({ options, onAdded, onCancel }: Props) {
  const { text } = useTexts()
  const start = useRef<HTMLParagraphElement>(null)
  useEffect(() => start.current?.focus(), [])
  const submission = useSubmission(knownErrors, async (form) => {
    const name = String(form.get('name'))
    const credential = await createPasskey(options)
    const { recoveryCodes } = await call('addPasskey', { body: { name, credential } })
    await onAdded(text('passkeys.added', { name }), recoveryCodes)
  })
  return (
    <>
      <p ref={start} tabIndex={-1}>
        {text('passkeys.createWhat')}
      </p>
      <SubmissionForm submission={submission} action={text('passkeys.create')}>
        <PasskeyNameField />
      </SubmissionForm>
      <Button isSecondary onPress={onCancel}>
        {text('app.cancel')}
      </Button>
    </>
  )
}
