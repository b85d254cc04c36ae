import { compiled, type Params } from './compiled.ts'
import type { Database, Queries, Transaction } from './database.ts'

/**
 * Loads a secret that all processes of an installation share. The first call creates it.
 * @param make generates the secret if it does not exist
 */
export async function loadServerSecret(
  db: Database,
  name: string,
  make: () => Uint8Array,
): Promise<Uint8Array> {
  return (await findServerSecret(db.read, name)) ?? db.transaction((tx) => loadServerSecretIn(tx, name, make))
}

/** Like `loadServerSecret`, inside a transaction. */
export async function loadServerSecretIn(
  tx: Transaction,
  name: string,
  make: () => Uint8Array,
): Promise<Uint8Array> {
  const known = await findServerSecret(tx, name)
  if (known) return known
  await tx
    .insertInto('server_secrets')
    .values({ name, secret: make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const secret = await findServerSecret(tx, name)
  if (!secret) throw new Error(`The secret ${name} is missing after it was written`)
  return secret
}

const secretByName = compiled((db, p: Params<{ name: string }>) =>
  db.selectFrom('server_secrets').select('secret').where('name', '=', p('name')),
)

/** Returns the secret if it exists. */
async function findServerSecret(queries: Queries, name: string): Promise<Uint8Array | undefined> {
  const [row] = await secretByName(queries, { name })
  return row?.secret
}
