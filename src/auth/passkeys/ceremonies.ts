import type { PasskeyCreation, PasskeyRequest } from '../../contract/account-security.ts'
import type { Context } from '../../context.ts'
import type { PasskeysTable } from '../../platform/db/sign-in-tables.ts'
import { challengeLifetimeMs } from './challenges.store.ts'
import { loadRelyingParty } from './relying-party.ts'

/** The signature algorithms of passkeys, as numbers of COSE, the most common one first: ES256, EdDSA, RS256. */
export const algorithms = [-7, -8, -257]

/**
 * Returns what a browser needs to create a passkey for a user. No attestation is requested: the make of an authenticator decides
 * nothing here, and would tell who the user is.
 * @throws PASSKEYS_UNAVAILABLE
 */
export function creationOptions(
  { config }: Pick<Context, 'config'>,
  challenge: string,
  user: { id: string; username: string },
  existing: readonly PasskeysTable[],
): PasskeyCreation {
  const { id } = loadRelyingParty(config)
  return {
    rp: { id, name: 'Partita' },
    user: { id: userHandleOf(user.id), name: user.username, displayName: user.username },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeLifetimeMs,
    excludeCredentials: existing.map(descriptorOf),
    // A security key that stores nothing and asks for no PIN can still be a second factor.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  }
}

/**
 * Returns what a browser needs to use a passkey.
 * @param passkeys those that can be used; undefined for any passkey of this server, which then must verify the user
 * @throws PASSKEYS_UNAVAILABLE
 */
export function requestOptions(
  { config }: Pick<Context, 'config'>,
  challenge: string,
  passkeys?: readonly PasskeysTable[],
): PasskeyRequest {
  return {
    rpId: loadRelyingParty(config).id,
    challenge,
    timeout: challengeLifetimeMs,
    allowCredentials: (passkeys ?? []).map(descriptorOf),
    userVerification: passkeys ? 'preferred' : 'required',
  }
}

/** The id of an account as authenticators store it. It is random, so it tells nothing about the user. */
export const userHandleOf = (user: string): string => Buffer.from(user).toString('base64url')

const descriptorOf = ({ credential_id, transports }: PasskeysTable) => ({
  id: credential_id,
  type: 'public-key' as const,
  transports: JSON.parse(transports) as string[],
})
