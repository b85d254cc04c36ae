import type { Page } from 'playwright-core'

/** An authenticator of Chromium for tests, which answers immediately and keeps passkeys in memory. */
export interface VirtualAuthenticator {
  remove(): Promise<void>
}

/** Adds an authenticator to a page, like the one of a phone or laptop: it stores passkeys, and verifies the user. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async remove() {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      await devtools.send('WebAuthn.disable')
    },
  }
}
