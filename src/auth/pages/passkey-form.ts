import type { PasskeyAssertion } from '../../contract/account-security.ts'
import { type Html, html } from '../../http/html.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { pageScript } from './page-script.ts'
import { hidden } from './pages.ts'

/** In which step of the sign-in a passkey is used: alone, or after the password. */
export type PasskeyStep = 'sign-in' | 'second-step'

/** The actions of the forms with a signature. */
const actions: Readonly<Record<PasskeyStep, string>> = {
  'sign-in': '/auth/passkey',
  'second-step': '/auth/second-step',
}

/** The script of pages with `passkeyForm`. */
export const passkeyScript = pageScript('passkey')

/** A form for a passkey, which the script shows if the browser can use one. */
export const passkeyForm = ({ text }: Texts, { step, next }: { step: PasskeyStep; next: string }): Html =>
  html`<form method="post" action="${actions[step]}" data-passkey="${step}" hidden>
${hidden('next', next)}
${hidden('credential', '')}
<button class="${step === 'sign-in' && 'second'}" type="submit">${text('passkeys.use')}</button>
${step === 'second-step' && html`<p>${text('secondStep.or')}</p>`}
</form>
<p class="wrong" role="alert" data-passkey-failure hidden>${text('passkeys.notUsed')}</p>`

/** The maximum length of each value of a signature, in characters. */
const maxValueLength = 4000

/** Reads the signature in a form. Returns undefined if it is malformed. */
export function assertionIn(credential: string): PasskeyAssertion | undefined {
  try {
    const { id, response } = JSON.parse(credential)
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    const values = [id, clientDataJSON, authenticatorData, signature, userHandle ?? '']
    if (!values.every(isBase64Url)) return undefined
    return { id, response: { clientDataJSON, authenticatorData, signature, userHandle } }
  } catch {
    return undefined
  }
}

const isBase64Url = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= maxValueLength && /^[\w-]*$/.test(value)
