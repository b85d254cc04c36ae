import { compiled } from '../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import type {
  ProviderAccountsTable,
  ProviderSignInsTable,
  SignInProvidersTable,
} from '../../platform/db/sign-in-tables.ts'
import { type Provider, readProvider } from './providers.ts'

export async function insertProvider(tx: Transaction, { rules, ...provider }: Provider): Promise<void> {
  await tx
    .insertInto('sign_in_providers')
    .values({ ...provider, rules: JSON.stringify(rules) })
    .execute()
}

export async function updateProvider(
  tx: Transaction,
  { name, label, client_id, client_secret, rules }: Provider,
): Promise<void> {
  const change: Partial<SignInProvidersTable> = {
    label,
    client_id,
    client_secret,
    rules: JSON.stringify(rules),
  }
  await tx.updateTable('sign_in_providers').set(change).where('name', '=', name).execute()
}

/** A provider with the name of its organization. */
export type ProviderOf = Provider & { readonly organization_name: string }

export async function findProvider(queries: Queries, name: string): Promise<ProviderOf | undefined> {
  const row = await selectProviders(queries).where('sign_in_providers.name', '=', name).executeTakeFirst()
  return row && readProvider(row)
}

/** Returns all providers, sorted by label. */
export async function listProviders(queries: Queries): Promise<ProviderOf[]> {
  return (await everyProvider(queries, {})).map(readProvider)
}

const everyProvider = compiled((db) => selectProviders(db).orderBy('label').orderBy('sign_in_providers.name'))

const selectProviders = (queries: Pick<Queries, 'selectFrom'>) =>
  queries
    .selectFrom('sign_in_providers')
    .innerJoin('organizations', 'organizations.id', 'sign_in_providers.organization_id')
    .selectAll('sign_in_providers')
    .select('organizations.name as organization_name')

/** Deletes a provider with its links to accounts, and revokes the sign-ins of the linked users. */
export async function deleteProvider(tx: Transaction, name: string): Promise<void> {
  const people = tx.selectFrom('provider_accounts').select('user_id').where('provider', '=', name)
  await tx.deleteFrom('sessions').where('user_id', 'in', people).execute()
  await tx.deleteFrom('sign_in_providers').where('name', '=', name).execute()
}

/** Returns the account that is linked to a subject of a provider. */
export async function findProviderAccount(
  queries: Queries,
  by: { provider: string; subject: string },
): Promise<string | undefined> {
  const account = await queries
    .selectFrom('provider_accounts')
    .select('user_id')
    .where('provider', '=', by.provider)
    .where('subject', '=', by.subject)
    .executeTakeFirst()
  return account?.user_id
}

/**
 * Whether an account is linked to any subject of a provider.
 * @param by without `provider`, any provider counts
 */
export async function hasProviderAccount(
  queries: Queries,
  { provider, user }: { provider?: string; user: string },
): Promise<boolean> {
  const account = await queries
    .selectFrom('provider_accounts')
    .select('subject')
    .where('user_id', '=', user)
    .$if(provider !== undefined, (query) => query.where('provider', '=', provider ?? ''))
    .limit(1)
    .executeTakeFirst()
  return account !== undefined
}

export async function insertProviderAccount(tx: Transaction, account: ProviderAccountsTable): Promise<void> {
  await tx.insertInto('provider_accounts').values(account).execute()
}

/** Deletes the links of an account to all providers. Returns their number. */
export async function deleteProviderAccountsOf(tx: Transaction, user: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('provider_accounts')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function insertProviderSignIn(tx: Transaction, signIn: ProviderSignInsTable): Promise<void> {
  await tx.insertInto('provider_sign_ins').values(signIn).execute()
}

/**
 * Deletes a started sign-in. Returns its destination if it was started with this provider and has not
 * expired.
 */
export async function consumeProviderSignIn(
  tx: Transaction,
  { hash, provider, now }: { hash: string; provider: string; now: number },
): Promise<string | undefined> {
  const signIn = await tx
    .deleteFrom('provider_sign_ins')
    .where('hash', '=', hash)
    .where('provider', '=', provider)
    .where('expires_at', '>', now)
    .returning('destination')
    .executeTakeFirst()
  return signIn?.destination
}

/** Deletes started sign-ins that have expired. */
export async function deleteExpiredProviderSignIns(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('provider_sign_ins').where('expires_at', '<=', now).execute()
}
