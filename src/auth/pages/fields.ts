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

/** Asks for a password that the account will have. */
export const newPasswordField = ({ text }: Texts, label: TextKey = 'signIn.password'): Html =>
  html`<label for="password">${text(label)}</label>
<p class="hint" id="password-hint">${text('form.passwordHint')}</p>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="password-hint" required minlength="6" maxlength="1000">`

/** The messages for a username and a password that a new account cannot have. */
export const accountErrors = {
  username: 'form.badUsername',
  password: 'form.badPassword',
} as const satisfies Record<string, TextKey>
