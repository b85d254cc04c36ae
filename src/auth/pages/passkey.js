// Signs in with a passkey. The form is hidden until this script knows that the browser can use it: the script asks the server
// for a challenge, lets a passkey sign it, and sends the signature in the form.
const form = document.querySelector('form[data-passkey]')
const failure = document.querySelector('[data-passkey-failure]')

if (globalThis.PublicKeyCredential && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    failure.hidden = true
    try {
      form.elements.credential.value = JSON.stringify(await signed(form.dataset.passkey))
      form.submit()
    } catch {
      // The user has cancelled, or has no passkey here, or the server is not reachable.
      failure.hidden = false
    }
  })
}

async function signed(step) {
  const response = await fetch('/auth/passkey/challenge', {
    method: 'POST',
    body: new URLSearchParams({ step }),
  })
  if (!response.ok) throw new Error(`${response.status}`)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await response.json())
  return navigator.credentials.get({ publicKey })
}
