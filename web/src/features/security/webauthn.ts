import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from '../../../../src/contract/account-security.ts'
import { Refusal } from '../../app/client.ts'

/** Whether this browser can create and use passkeys. Browsers of before 2025 do not have the functions for JSON. */
export const canUsePasskeys =
  typeof PublicKeyCredential === 'function' && 'parseCreationOptionsFromJSON' in PublicKeyCredential

/**
 * Lets the user create a passkey on this device or another one.
 * @throws Refusal PASSKEY_EXISTS if the device has one for this account already, PASSKEY_NOT_USED if the user cancels
 */
export async function createPasskey(options: PasskeyCreation): Promise<PasskeyRegistration> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return (await answerOf(() => navigator.credentials.create({ publicKey }))) as PasskeyRegistration
}

/**
 * Lets the user sign with a passkey.
 * @throws Refusal PASSKEY_NOT_USED if the user cancels, or has none here
 */
export async function signWithPasskey(options: PasskeyRequest): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await answerOf(() => navigator.credentials.get({ publicKey }))) as PasskeyAssertion
}

async function answerOf(
  ask: () => Promise<Credential | null>,
): Promise<ReturnType<PublicKeyCredential['toJSON']>> {
  try {
    return ((await ask()) as PublicKeyCredential).toJSON()
  } catch (error) {
    const exists = error instanceof DOMException && error.name === 'InvalidStateError'
    throw new Refusal(0, { code: exists ? 'PASSKEY_EXISTS' : 'PASSKEY_NOT_USED' })
  }
}
