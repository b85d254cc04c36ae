import { useEffect, useRef } from 'react'
import type { SecondFactorSecret } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Field } from '../../ui/fields.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { QrCode } from '../../ui/qr-code.tsx'

const knownErrors: KnownErrors = { WRONG_CODE: ['code', 'security.wrongCode'] }

interface Props {
  secret: SecondFactorSecret
  onConfirmed(recoveryCodes: readonly string[]): Promise<void>
}

/** Shows the secret for the authenticator app, and asks for a code to check that the app has it. */
export function Enrolment({ secret, onConfirmed }: Props) {
  const { text } = useTexts()
  const start = useRef<HTMLParagraphElement>(null)
  const submission = useSubmission(knownErrors, async (form) => {
    const code = String(form.get('code'))
    await onConfirmed((await call('confirmSecondFactor', { body: { code } })).recoveryCodes)
  })
  useEffect(() => start.current?.focus(), [])
  return (
    <>
      <p ref={start} tabIndex={-1}>
        {text('security.factorScan')}
      </p>
      <QrCode label={text('security.factorPicture')}>{secret.uri}</QrCode>
      <h3>{text('security.factorKey')}</h3>
      <Copyable label={text('security.factorKey')}>{secret.secret}</Copyable>
      <SubmissionForm submission={submission} action={text('security.factorConfirm')}>
        <Field
          name="code"
          label={text('security.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          isRequired
        />
      </SubmissionForm>
    </>
  )
}
