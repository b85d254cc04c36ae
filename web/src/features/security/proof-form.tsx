import { useMutation } from '@tanstack/react-query'
import type { Proof, Security } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { errorText, useTexts } from '../../app/texts.ts'
import { Button } from '../../ui/buttons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CodeForm } from './code-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { canUsePasskeys, signWithPasskey } from './webauthn.ts'

/** The second factors of the account. */
export interface Factors {
  readonly authenticator: boolean
  readonly passkeys: boolean
}

export const factorsOf = ({ secondFactor, passkeys }: Security): Factors => ({
  authenticator: secondFactor.isOn,
  passkeys: passkeys.list.length > 0,
})

interface Props {
  /** The text of the submit button. */
  action: string
  factors: Factors
  /** Rejects with WRONG_PASSWORD, WRONG_CODE or WRONG_PASSKEY if the proof is wrong. */
  onSubmit(proof: Proof): Promise<void>
}

/** Asks for what proves that the account is the user’s: a second factor if there is one, otherwise the password. */
export function ProofForm({ action, factors, onSubmit }: Props) {
  if (!factors.authenticator && !factors.passkeys)
    return <PasswordForm action={action} onSubmit={(password) => onSubmit({ password })} />
  return (
    <>
      {factors.passkeys && canUsePasskeys && <PasskeyButton onSubmit={onSubmit} />}
      <CodeForm action={action} hasApp={factors.authenticator} onSubmit={(code) => onSubmit({ code })} />
    </>
  )
}

function PasskeyButton({ onSubmit }: Pick<Props, 'onSubmit'>) {
  const texts = useTexts()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => onSubmit({ passkey: await signWithPasskey(await call('startPasskeyProof')) }),
  })
  return (
    <>
      <Notice isError>{error ? errorText(texts, error) : undefined}</Notice>
      <Button isSecondary onPress={() => isPending || mutate()}>
        {texts.text('passkeys.confirm')}
      </Button>
    </>
  )
}
