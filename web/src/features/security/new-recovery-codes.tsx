import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { type Factors, ProofForm } from './proof-form.tsx'

interface Props {
  factors: Factors
  onCreated(codes: readonly string[]): Promise<void>
}

/** Replaces the recovery codes of the account. */
export function NewRecoveryCodes({ factors, onCreated }: Props) {
  const { text } = useTexts()
  return (
    <details>
      <summary>{text('security.recoveryAgain')}</summary>
      <p>{text('security.recoveryAgainWhat')}</p>
      <ProofForm
        action={text('security.recoveryAgain')}
        factors={factors}
        onSubmit={async (body) => onCreated((await call('createRecoveryCodes', { body })).recoveryCodes)}
      />
    </details>
  )
}
