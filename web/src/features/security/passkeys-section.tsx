import { useRef, useState } from 'react'
import type { Passkey, PasskeyCreation, Security } from '../../../../src/contract/account-security.ts'
import { call } from '../../app/client.ts'
import { useTexts } from '../../app/texts.ts'
import { Notice } from '../../ui/notice.tsx'
import { NewPasskey } from './new-passkey.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { type PasskeyAction, PasskeyForm } from './passkey-form.tsx'
import { PasskeyTable } from './passkey-table.tsx'
import { factorsOf, ProofForm } from './proof-form.tsx'
import { useSecurityRefresh } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { canUsePasskeys } from './webauthn.ts'

/** Lists, adds, renames and removes passkeys. */
export function PasskeysSection({ security }: { security: Security }) {
  const { text } = useTexts()
  const refresh = useSecurityRefresh()
  const heading = useRef<HTMLHeadingElement>(null)
  const [creation, setCreation] = useState<PasskeyCreation>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [selected, setSelected] = useState<{ passkey: Passkey; action: PasskeyAction }>()
  const [message, setMessage] = useState<string>()
  const { passkeys, missingFactor, hasPassword, secondFactor } = security
  const factors = factorsOf(security)
  const isNeeded = missingFactor === 'passkey'
  const canAdd = passkeys.canBeAdded && (hasPassword || factors.authenticator || factors.passkeys)

  /** Shows the list again with a message, and the recovery codes if there are new ones. */
  async function finish(result: string | undefined, recoveryCodes: readonly string[] | null = null) {
    setCreation(undefined)
    setSelected(undefined)
    setMessage(result)
    if (recoveryCodes) setCodes(recoveryCodes)
    await refresh()
    heading.current?.focus()
  }

  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys" ref={heading} tabIndex={-1}>
        {text('passkeys.title')}
      </h2>
      <Notice>{message}</Notice>
      {isNeeded && <p className="notice">{text('passkeys.needed')}</p>}
      <p>{text('passkeys.what')}</p>
      {codes && <RecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />}
      {passkeys.list.length > 0 && (
        <PasskeyTable
          passkeys={passkeys.list}
          onSelect={(passkey, action) => setSelected({ passkey, action })}
        />
      )}
      {selected && (
        // React's key: the form is empty again when another passkey or action is selected.
        <PasskeyForm
          key={`${selected.passkey.id} ${selected.action}`}
          {...selected}
          factors={factors}
          onDone={finish}
        />
      )}
      {creation ? (
        <NewPasskey options={creation} onAdded={finish} onCancel={() => void finish(undefined)} />
      ) : (
        canAdd &&
        (canUsePasskeys ? (
          <details open={isNeeded}>
            <summary>{text('passkeys.add')}</summary>
            <ProofForm
              action={text('passkeys.continue')}
              factors={factors}
              onSubmit={async (body) => {
                setMessage(undefined)
                setCreation(await call('startPasskey', { body }))
              }}
            />
          </details>
        ) : (
          <p className="hint">{text('passkeys.unsupported')}</p>
        ))
      )}
      {factors.passkeys && !factors.authenticator && !codes && (
        <>
          <p>{text('passkeys.codesLeft', { number: secondFactor.recoveryCodesLeft })}</p>
          <NewRecoveryCodes factors={factors} onCreated={(created) => finish(undefined, created)} />
        </>
      )}
    </section>
  )
}
