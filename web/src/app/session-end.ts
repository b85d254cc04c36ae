/** What the sign-in window tells the pages of the app (src/auth/pages/signed-in.js). */
export const sessionChannel = 'partita.session'

/**
 * Asks the user to sign in again. Resolves to true when the same user has signed in, and to false if the user does not want to.
 */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asked: Promise<boolean> | undefined

/** Sets how the user is asked. The app does it once, when its first page is shown. */
export function askToSignIn(how: Ask | undefined): void {
  ask = how
}

/**
 * Waits until the user has signed in again after the session has ended. Several requests wait for the same sign-in.
 * @returns whether the request can be sent again
 */
export async function signInAgain(): Promise<boolean> {
  if (!ask) {
    leaveToSignIn()
    return false
  }
  asked ??= ask().finally(() => {
    asked = undefined
  })
  return asked
}

const lastRedirectKey = 'partita.left-to-sign-in-at'

/**
 * Leaves the page for the sign-in form, which leads back to it. Does nothing within 10 seconds after the last time: if the
 * server still refuses the session after signing in, the page shows the error instead of an endless loop.
 */
function leaveToSignIn(): void {
  const now = Date.now()
  if (now - Number(sessionStorage.getItem(lastRedirectKey)) < 10_000) return
  sessionStorage.setItem(lastRedirectKey, String(now))
  const { pathname, search } = location
  location.assign(`/auth/signin?${new URLSearchParams({ next: pathname + search })}`)
}
