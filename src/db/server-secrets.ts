import type { Database } from './database.ts'

/**
 * A secret that all processes of an installation share. The first that asks for it makes it.
 * @param make gives the secret, for the case that there is none yet
 */
export async function loadServerSecret(db: Database, name: string, make: () => Uint8Array): Promise<Uint8Array> {
  const known = await db.read.selectFrom('server_secrets').select('secret').where('name', '=', name).executeTakeFirst()
  if (known) return known.secret
  return db.transaction(async (tx) => {
    await tx
      .insertInto('server_secrets')
      .values({ name, secret: make() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { secret } = await tx
      .selectFrom('server_secrets')
      .select('secret')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return secret
  })
}
