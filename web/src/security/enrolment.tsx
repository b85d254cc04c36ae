import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components/Button'
import type { SecondFactorSecret } from '../../../src/contract/account-security.ts'
import { confirmSecondFactor } from '../client.ts'
import { Copyable } from '../copyable.tsx'
import { Field } from '../fields.tsx'
import { Notice } from '../page.tsx'
import { useSubmission } from '../submission.ts'
import { SubmissionForm } from '../submission-form.tsx'
import { useTexts } from '../texts.ts'
import { QrCode } from './qr-code.tsx'

const wrong = { WRONG_CODE: ['code', 'security.wrongCode'] } as const

interface Props {
  secret: SecondFactorSecret
  onConfirmed(recoveryCodes: readonly string[]): Promise<void>
}

/** Brings the secret into an app; a code shows that it is there. */
export function Enrolment({ secret, onConfirmed }: Props) {
  const { text } = useTexts()
  const start = useRef<HTMLParagraphElement>(null)
  const submission = useSubmission(wrong, async (form) => {
    const code = String(form.get('code')).replaceAll(' ', '')
    await onConfirmed((await confirmSecondFactor(code)).recoveryCodes)
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
      <SubmissionForm submission={submission}>
        <Field
          name="code"
          label={text('security.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={20}
          isRequired
        />
        <Notice isWrong>{submission.error}</Notice>
        <Button type="submit">{text('security.factorConfirm')}</Button>
      </SubmissionForm>
    </>
  )
}
