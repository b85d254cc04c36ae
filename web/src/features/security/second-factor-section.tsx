import { useRef, useState } from 'react'
import type { SecondFactorSecret, Security } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { CodeForm } from './code-form.tsx'
import { Enrolment } from './enrolment.tsx'
import { PasswordForm } from './password-form.tsx'
import { useSecurityRefresh } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Sets up or turns off the second factor, and creates new recovery codes. */
export function SecondFactorSection({
  state,
  isNeeded,
}: {
  state: Security['secondFactor']
  isNeeded: boolean
}) {
  const { text } = useTexts()
  const refresh = useSecurityRefresh()
  const heading = useRef<HTMLHeadingElement>(null)
  const [secret, setSecret] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [isRemoved, setRemoved] = useState(false)

  async function begin(password: string) {
    setRemoved(false)
    setSecret(await call('startSecondFactor', { body: { password } }))
  }
  async function show(recoveryCodes: readonly string[]) {
    setSecret(undefined)
    setCodes(recoveryCodes)
    await refresh()
    heading.current?.focus()
  }
  async function remove(code: string) {
    await call('removeSecondFactor', { body: { code } })
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
      ) : state.isOn ? (
        <>
          <p>{text('security.factorIsOn', { number: state.recoveryCodesLeft })}</p>
          <details>
            <summary>{text('security.recoveryAgain')}</summary>
            <p>{text('security.recoveryAgainWhat')}</p>
            <CodeForm
              action={text('security.recoveryAgain')}
              onSubmit={async (code) =>
                show((await call('createRecoveryCodes', { body: { code } })).recoveryCodes)
              }
            />
          </details>
          <details>
            <summary>{text('security.factorRemove')}</summary>
            <CodeForm action={text('security.factorRemove')} onSubmit={remove} />
          </details>
        </>
      ) : (
        <>
          {isNeeded && <p className="notice">{text('security.factorNeeded')}</p>}
          <p>{text('security.factorWhat')}</p>
          <PasswordForm action={text('security.factorAdd')} onSubmit={begin} />
        </>
      )}
    </section>
  )
}
