import type { Context } from '../../../context.ts'
import { day } from '../../../lib/durations.ts'
import type { Endpoint } from './endpoints.store.ts'
import { newSecret, textOfSecret } from './messages.ts'

/** How long the secret before a new one signs as well. */
const overlap = day

const placeOf = (id: string) => `webhook ${id}`

/** Makes a secret for an endpoint. Returns its column, and the text that is shown once. */
export function makeSecret(
  { secrets }: Pick<Context, 'secrets'>,
  id: string,
): { secret: Uint8Array; text: string } {
  const secret = newSecret()
  return { secret: secrets.seal(secret, placeOf(id)), text: textOfSecret(secret) }
}

/** Returns the secrets that sign a message, the newest first. */
export function secretsOf(
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  { id, secret, earlier_secret, earlier_secret_until }: Endpoint,
): Uint8Array[] {
  const isBoth = earlier_secret !== null && (earlier_secret_until ?? 0) > clock.now()
  return [secret, ...(isBoth ? [earlier_secret] : [])].map((one) => secrets.open(one, placeOf(id)))
}

/** Returns the columns of an endpoint that gets a new secret. The one before it is not kept if its key is missing. */
export const rotated = (
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  { id, secret: earlier_secret }: Endpoint,
  secret: Uint8Array,
): Pick<Endpoint, 'secret' | 'earlier_secret' | 'earlier_secret_until'> =>
  secrets.opens(earlier_secret, placeOf(id))
    ? { secret, earlier_secret, earlier_secret_until: clock.now() + overlap }
    : { secret, earlier_secret: null, earlier_secret_until: null }

/** Returns the secrets of an endpoint, encrypted with the current key. Undefined if they are already. */
export function sealedAgain(
  { secrets }: Pick<Context, 'secrets'>,
  { id, secret, earlier_secret }: Endpoint,
): Pick<Endpoint, 'secret' | 'earlier_secret'> | undefined {
  if (secrets.isCurrent(secret) && (earlier_secret === null || secrets.isCurrent(earlier_secret)))
    return undefined
  const again = (sealed: Uint8Array) => secrets.seal(secrets.open(sealed, placeOf(id)), placeOf(id))
  return { secret: again(secret), earlier_secret: earlier_secret && again(earlier_secret) }
}
