import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { SignInProvidersTable } from '../../platform/db/sign-in-tables.ts'
import type { SecretRows } from '../../platform/secrets/secret-rows.ts'

/** Begins the column of an encrypted client secret. The base64 of the encrypted bytes follows. */
const sealedPrefix = 'sealed:'

const placeOf = (name: string) => `sign-in provider ${name}`
const sealedBytes = (column: string) =>
  column.startsWith(sealedPrefix) ? Buffer.from(column.slice(sealedPrefix.length), 'base64') : undefined

/**
 * Encrypts the client secret of a provider for its column.
 * @throws INVALID_PARAMETER if it is empty
 */
export function sealClientSecret(
  { secrets }: Pick<Context, 'secrets'>,
  name: string,
  secret: string,
): string {
  if (secret === '') fail('INVALID_PARAMETER', { message: 'The client secret must be given.' })
  const sealed = secrets.seal(Buffer.from(secret), placeOf(name))
  return `${sealedPrefix}${Buffer.from(sealed).toString('base64')}`
}

/**
 * Returns the client secret of a provider. Columns of earlier versions have it in clear text.
 * @throws SecretError if its key is missing
 */
export function clientSecretOf(
  { secrets }: Pick<Context, 'secrets'>,
  { name, client_secret }: Pick<SignInProvidersTable, 'name' | 'client_secret'>,
): string {
  const sealed = sealedBytes(client_secret)
  return sealed ? Buffer.from(secrets.open(sealed, placeOf(name))).toString() : client_secret
}

/** The client secrets of all providers. */
export const clientSecrets: SecretRows<SignInProvidersTable> = {
  list: (queries, after, limit) =>
    queries
      .selectFrom('sign_in_providers')
      .selectAll()
      .where('name', '>', after)
      .orderBy('name')
      .limit(limit)
      .execute(),
  keyOf: ({ name }) => name,
  async encrypt(secrets, tx, row) {
    const { name, client_secret } = row
    const sealed = sealedBytes(client_secret)
    if (sealed && secrets.isCurrent(sealed)) return false
    const again = sealClientSecret({ secrets }, name, clientSecretOf({ secrets }, row))
    // Another command may have replaced the secret meanwhile.
    const { numUpdatedRows } = await tx
      .updateTable('sign_in_providers')
      .set({ client_secret: again })
      .where('name', '=', name)
      .where('client_secret', '=', client_secret)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
}
