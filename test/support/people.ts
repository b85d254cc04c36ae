import { hashSync } from '@node-rs/argon2'
import type { Context } from '../../src/context.ts'
import { allScopes, type Scope } from '../../src/contract/scopes.ts'
import type { OrganizationRole } from '../../src/contract/users.ts'
import { acceptInvitations } from '../../src/features/library/scores/collaborators.ts'
import { accountOf, type NewAccount } from '../../src/features/people/users/accounts.ts'
import { insertUser } from '../../src/features/people/users/store.ts'
import { type Client, clientOf } from './client.ts'
import { createPersonalToken } from './personal-tokens.ts'

/** A client with an account and a token that has every scope. */
export interface Person extends Client {
  readonly id: string
  readonly username: string
  readonly token: string
}

/** The properties of an account that a test sets. */
export type PersonOverrides = Partial<NewAccount> & { role?: OrganizationRole }

/**
 * Hashes a password with the least work that argon2id permits. The server takes the parameters of a check from the hash, so each
 * sign-in of a test saves the 19 MiB and the time that a real hash needs.
 */
const weakHashOf = (password: string): string =>
  hashSync(password, { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 })

/**
 * Creates an account and a token in the database of a server.
 * @param url the address of the server
 */
export async function createPerson(
  ctx: Context,
  url: string,
  username: string,
  overrides: PersonOverrides = {},
): Promise<Person> {
  const hash = weakHashOf(overrides.password ?? 'correct horse')
  const user = accountOf({ username, ...overrides }, hash, ctx.newId(), ctx.clock.now())
  await ctx.transaction(async (tx) => {
    await insertUser(tx, user)
    await acceptInvitations(tx, user)
  })
  return withToken(ctx, url, user, allScopes)
}

/** Returns a client of a user with a new token. */
export async function withToken(
  ctx: Context,
  url: string,
  { id, username }: { id: string; username: string },
  scopes: readonly Scope[],
): Promise<Person> {
  const token = await createPersonalToken(ctx, id, 'Test', scopes)
  return { id, username, token, ...clientOf(url, token) }
}
