import type { Failure } from '../../errors.ts'
import { type Html, html } from '../../http/html.ts'
import type { TextKey, Texts } from '../../texts/catalogue.ts'

/** Asks for the username or address of an account. */
export const accountField = ({ text }: Texts, value = ''): Html =>
  usernameInput(text('signIn.name'), value, 254)

/** Asks for the username of a new account. */
export const newUsernameField = ({ text }: Texts, value = ''): Html =>
  usernameInput(text('signUp.username'), value, 30)

const usernameInput = (label: string, value: string, maxLength: number): Html =>
  html`<label for="username">${label}</label>
<input id="username" name="username" type="text" value="${value}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="${maxLength}">`

/**
 * Asks for a password that the account will have.
 * @param min its minimum length
 */
export const newPasswordField = ({ text }: Texts, min: number, label: TextKey = 'signIn.password'): Html =>
  html`<label for="password">${text(label)}</label>
<p class="hint" id="password-hint">${text('form.passwordHint', { min })}</p>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="password-hint" required minlength="${min}" maxlength="1000">`

/** The messages for a username and a password that an account cannot have, by the code or the field of the error. */
export const accountErrors = {
  username: 'form.badUsername',
  COMMON_PASSWORD: 'form.commonPassword',
  PASSWORD_LIKE_NAME: 'form.passwordLikeName',
  password: 'form.badPassword',
} as const satisfies Record<string, TextKey>

/**
 * Returns the message of an error for the user.
 * @param messages by the code or the field of the error
 * @param min the minimum length of the password
 */
export function refusalText(
  { text }: Texts,
  { code, param = '' }: Failure,
  messages: Readonly<Record<string, TextKey>>,
  min: number,
): string | undefined {
  const message = messages[code] ?? messages[param]
  return message && text(message, { min })
}
