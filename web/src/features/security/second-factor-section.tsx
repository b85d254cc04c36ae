import { useRef, useState } from 'react'
import type { Proof, SecondFactorSecret, Security } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { Enrolment } from './enrolment.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { factorsOf, ProofForm } from './proof-form.tsx'
import { useSecurityRefresh } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Sets up or turns off the authenticator app, and creates new recovery codes. */
export function SecondFactorSection({ security }: { security: Security }) {
  const { text } = useTexts()
  const refresh = useSecurityRefresh()
  const heading = useRef<HTMLHeadingElement>(null)
  const [secret, setSecret] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isRemoved, setRemoved] = useState(false)
  const { secondFactor, missingFactor } = security
  const factors = factorsOf(security)

  async function begin(body: Proof) {
    setRemoved(false)
    setSecret(await call('startSecondFactor', { body }))
  }
  async function show(recoveryCodes: readonly string[]) {
    setSecret(undefined)
    setCodes(recoveryCodes)
    await refresh()
    heading.current?.focus()
  }
  async function remove(body: Proof) {
    await call('removeSecondFactor', { body })
    setRemoved(true)
    await refresh()
    heading.current?.focus()
  }

  return (
    <section aria-labelledby="second-factor">
      <h2 id="second-factor" ref={heading} tabIndex={-1}>
        {text('security.factor')}
      </h2>
      <Notice>{isRemoved ? text('security.factorRemoved') : undefined}</Notice>
      {codes ? (
        <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
      ) : secret ? (
        <Enrolment secret={secret} onConfirmed={show} />
      ) : secondFactor.isOn ? (
        <>
          <p>{text('security.factorIsOn', { number: secondFactor.recoveryCodesLeft })}</p>
          <NewRecoveryCodes factors={factors} onCreated={show} />
          <details>
            <summary>{text('security.factorRemove')}</summary>
            <ProofForm action={text('security.factorRemove')} factors={factors} onSubmit={remove} />
          </details>
        </>
      ) : (
        <>
          {missingFactor === 'second factor' && <p className="notice">{text('security.factorNeeded')}</p>}
          <p>{text('security.factorWhat')}</p>
          <ProofForm action={text('security.factorAdd')} factors={factors} onSubmit={begin} />
        </>
      )}
    </section>
  )
}
