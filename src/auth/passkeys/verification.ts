import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/account-security.ts'
import type { PasskeysTable } from '../../platform/db/sign-in-tables.ts'
import { once } from '../../lib/once.ts'
import { algorithms, userHandleOf } from './ceremonies.ts'
import type { RelyingParty } from './relying-party.ts'

/** Loaded with the first passkey: the library takes a quarter of a second and 27 MB. */
const library = once(() => import('@simplewebauthn/server'))
const helpers = once(() => import('@simplewebauthn/server/helpers'))

/** A new passkey whose registration is valid. */
export type VerifiedRegistration = Pick<
  PasskeysTable,
  'credential_id' | 'public_key' | 'counter' | 'is_synced' | 'transports'
>

/** The state of a passkey after a valid signature. */
export interface VerifiedUse {
  readonly counter: number
  readonly isSynced: boolean
}

/** Returns the challenge that a browser says to have used. Undefined if the data is malformed. */
export function challengeOf({
  response: { clientDataJSON },
}: PasskeyAssertion | PasskeyRegistration): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies a registration (WebAuthn Level 2, section 7.1): the origin, the relying party, the presence of the user and the key.
 * The caller must check that the challenge is valid.
 * @returns undefined if it is not valid
 */
export async function verifyRegistration(
  { id: rpId, origin }: RelyingParty,
  { id, response }: PasskeyRegistration,
): Promise<VerifiedRegistration | undefined> {
  const challenge = challengeOf({ id, response })
  if (challenge === undefined) return undefined
  const { verifyRegistrationResponse } = await library()
  const { transports = [], ...data } = response
  try {
    if (!(await hasNoCertificate(data.attestationObject))) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: data },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo || registrationInfo.credential.id !== id) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credential_id: id,
      public_key: credential.publicKey,
      counter: credential.counter,
      is_synced: credentialBackedUp ? 1 : 0,
      transports: JSON.stringify(transports),
    }
  } catch {
    // The library throws an error with a message for each fault, and others for malformed data.
    return undefined
  }
}

/**
 * Whether the attestation is empty, or a signature by the new key itself. Those are the two that browsers send if no attestation
 * is requested. With certificates, the library would send requests to addresses in them.
 */
async function hasNoCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/**
 * Verifies the signature of a passkey (WebAuthn Level 2, section 7.2): the origin, the relying party, the account, the presence
 * of the user and the signature. The caller must check that the challenge is valid, and the counter, in a transaction.
 * @param isOnlyFactor if true, the authenticator must have checked a PIN, a finger or a face, and must name the account
 * @returns undefined if it is not valid
 */
export async function verifyAssertion(
  { id: rpId, origin }: RelyingParty,
  assertion: PasskeyAssertion,
  passkey: PasskeysTable,
  isOnlyFactor: boolean,
): Promise<VerifiedUse | undefined> {
  const { id, response } = assertion
  const challenge = challengeOf(assertion)
  const { userHandle, ...data } = response
  const isOwner = userHandle ? userHandle === userHandleOf(passkey.user_id) : !isOnlyFactor
  if (challenge === undefined || !isOwner) return undefined
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: data },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // With the counter 0 the library accepts any counter, which `savePasskeyUse` compares.
      credential: { id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
      requireUserVerification: isOnlyFactor,
    })
    const { newCounter, credentialBackedUp } = authenticationInfo
    return verified ? { counter: newCounter, isSynced: credentialBackedUp } : undefined
  } catch {
    return undefined
  }
}
