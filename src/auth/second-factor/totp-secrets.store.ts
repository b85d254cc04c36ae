import type { Context } from '../../context.ts'
import type { SecondFactorsTable } from '../../platform/db/sign-in-tables.ts'
import { isSealed } from '../../platform/secrets/secret-box.ts'
import type { SecretRows } from '../../platform/secrets/secret-rows.ts'

const placeOf = (user: string) => `second factor of ${user}`

/** Encrypts the secret of a user's authenticator app for its column. */
export const sealTotpSecret = (
  { secrets }: Pick<Context, 'secrets'>,
  user: string,
  secret: Uint8Array,
): Uint8Array => secrets.seal(secret, placeOf(user))

/**
 * Returns the secret of a user's authenticator app. Columns of earlier versions have it in clear text, in 20 bytes.
 * @throws SecretError if its key is missing
 */
export const totpSecretOf = (
  { secrets }: Pick<Context, 'secrets'>,
  { user_id, secret }: Pick<SecondFactorsTable, 'user_id' | 'secret'>,
): Uint8Array => (isSealed(secret) ? secrets.open(secret, placeOf(user_id)) : secret)

/** The secrets of all authenticator apps. */
export const totpSecrets: SecretRows<SecondFactorsTable> = {
  list: (queries, after, limit) =>
    queries
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(limit)
      .execute(),
  keyOf: ({ user_id }) => user_id,
  async encrypt(secrets, tx, row) {
    const { user_id, secret } = row
    if (isSealed(secret) && secrets.isCurrent(secret)) return false
    const again = sealTotpSecret({ secrets }, user_id, totpSecretOf({ secrets }, row))
    // The user may have replaced the secret meanwhile.
    const { numUpdatedRows } = await tx
      .updateTable('second_factors')
      .set({ secret: again })
      .where('user_id', '=', user_id)
      .where('secret', '=', secret)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
}
