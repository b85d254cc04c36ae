import { useEffect, useRef } from 'react'
import type { Passkey } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { SubmissionForm } from '../../ui/form.tsx'
import { type KnownErrors, useSubmission } from '../../ui/submission.ts'
import { PasskeyNameField } from './passkey-name-field.tsx'
import { type Factors, ProofForm } from './proof-form.tsx'

export type PasskeyAction = 'rename' | 'remove'

interface Props {
  passkey: Passkey
  action: PasskeyAction
  factors: Factors
  /** @param message the result; undefined if the user has cancelled */
  onDone(message: string | undefined): Promise<void>
}

/** Renames or removes a passkey. */
export function PasskeyForm({ passkey: { id, name }, action, factors, onDone }: Props) {
  const { text } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>
        {text(`passkeys.${action}Named`, { name })}
      </h3>
      {action === 'rename' ? (
        <RenameForm id={id} name={name} onDone={onDone} />
      ) : (
        <ProofForm
          action={text('passkeys.remove')}
          factors={factors}
          onSubmit={async (body) => {
            await call('removePasskey', { params: { id }, body })
            await onDone(text('app.gone', { name }))
          }}
        />
      )}
      <Button isSecondary onPress={() => onDone(undefined)}>
        {text('app.cancel')}
      </Button>
    </>
  )
}

const knownErrors: KnownErrors = { name: ['name', 'passkeys.badName'] }

function RenameForm({ id, name: present, onDone }: Pick<Passkey, 'id' | 'name'> & Pick<Props, 'onDone'>) {
  const { text } = useTexts()
  const submission = useSubmission(knownErrors, async (form) => {
    const name = String(form.get('name'))
    await call('renamePasskey', { params: { id }, body: { name } })
    await onDone(text('passkeys.renamed', { name }))
  })
  return (
    <SubmissionForm submission={submission} action={text('passkeys.save')}>
      <PasskeyNameField present={present} />
    </SubmissionForm>
  )
}
