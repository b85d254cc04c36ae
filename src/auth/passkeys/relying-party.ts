import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'

type Address = Pick<Context['config'], 'publicUrl'>

/** This server as WebAuthn knows it: a passkey belongs to one relying party. */
export interface RelyingParty {
  /** The host name of the server. Passkeys are bound to it, so they are lost if it changes. */
  readonly id: string
  /** Scheme, host and port of the pages that can use the passkeys. */
  readonly origin: string
}

/**
 * Returns the relying party of the public address. Returns undefined if browsers allow no passkeys there: the host must be a
 * name, and the scheme https unless the host is localhost (WebAuthn Level 2, section 5.1.3).
 */
export function relyingPartyOf({ publicUrl }: Address): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  if (hostname.startsWith('[') || isIP(hostname) !== 0) return undefined
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  return isSecure ? { id: hostname, origin } : undefined
}

/** @throws PASSKEYS_UNAVAILABLE */
export const loadRelyingParty = (config: Address): RelyingParty =>
  relyingPartyOf(config) ?? fail('PASSKEYS_UNAVAILABLE')
