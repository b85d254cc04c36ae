import { useRef, useState } from 'react'
import type { SecondFactorSecret, Security } from '../../../src/contract/account-security.ts'
import { beginSecondFactor, makeRecoveryCodes, removeSecondFactor } from '../client.ts'
import { Notice } from '../page.tsx'
import { useTexts } from '../texts.ts'
import { CodeForm } from './code-form.tsx'
import { Enrolment } from './enrolment.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

interface Props {
  state: Security['secondFactor']
  onChanged(): Promise<void>
}

/** A code of an authenticator app beside the password: set up, taken off, and what stands in for the app. */
export function SecondFactorSection({ state, onChanged }: Props) {
  const { text } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const [secret, setSecret] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isRemoved, setRemoved] = useState(false)

  async function show(recoveryCodes: readonly string[]) {
    setSecret(undefined)
    setCodes(recoveryCodes)
    await onChanged()
    heading.current?.focus()
  }
  async function remove(code: string) {
    await removeSecondFactor(code)
    setRemoved(true)
    await onChanged()
    heading.current?.focus()
  }
  async function begin(password: string) {
    setRemoved(false)
    setSecret(await beginSecondFactor(password))
  }

  return (
    <section aria-labelledby="second-factor">
      <h2 id="second-factor" ref={heading} tabIndex={-1}>
        {text('security.factor')}
      </h2>
      <Notice>{isRemoved ? text('security.factorRemoved') : undefined}</Notice>
      {codes ? (
        <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />
      ) : secret ? (
        <Enrolment secret={secret} onConfirmed={show} />
      ) : state.isOn ? (
        <>
          <p>{text('security.factorIsOn', { number: state.recoveryCodesLeft })}</p>
          <details>
            <summary>{text('security.recoveryAgain')}</summary>
            <p>{text('security.recoveryAgainWhat')}</p>
            <CodeForm
              action={text('security.recoveryAgain')}
              onProve={async (code) => show((await makeRecoveryCodes(code)).recoveryCodes)}
            />
          </details>
          <details>
            <summary>{text('security.factorRemove')}</summary>
            <CodeForm action={text('security.factorRemove')} onProve={remove} />
          </details>
        </>
      ) : (
        <>
          <p>{text('security.factorWhat')}</p>
          <ProofForm action={text('security.factorAdd')} onProve={begin} />
        </>
      )}
    </section>
  )
}
