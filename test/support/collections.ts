import { hashToken, newPersonalToken } from '../../src/lib/tokens.ts'
import { allScopes } from '../../src/contract/scopes.ts'
import { insertAccessToken } from '../../src/auth/tokens/store.ts'
import { insertApp } from '../../src/auth/oauth-server/apps/store.ts'
import { insertCollection } from '../../src/features/library/collections/store.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { Person, TestApp } from './app.ts'
import { type Client, clientOf } from './client.ts'

/** Inserts a collection of this owner. Returns its id. */
export async function newCollection({ ctx }: TestApp, owner: Person, title: string): Promise<string> {
  const id = ctx.newId()
  const now = ctx.clock.now()
  await ctx.transaction((tx) =>
    insertCollection(tx, {
      id,
      user_id: owner.id,
      type: 'regular',
      app: null,
      title,
      title_key: sortKey(title),
      created_at: now,
      modified_at: now,
      grants: 0,
      is_pinned: 0,
      deletion_at: null,
    }),
  )
  return id
}

/** Registers an app and gives it a token of a user. */
export async function newApp(
  { ctx, url }: TestApp,
  person: Person,
  name: string,
): Promise<Client & { id: string }> {
  const id = ctx.newId()
  const token = newPersonalToken()
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    await insertApp(tx, { id, name, owner_id: null, secret_hash: null, created_at: now }, [
      'https://app.example/',
    ])
    await insertAccessToken(tx, {
      id: ctx.newId(),
      user_id: person.id,
      app_id: id,
      name,
      hash: hashToken(token),
      scopes: JSON.stringify(allScopes),
      created_at: now,
      expires_at: null,
      last_used_at: null,
      created_by: null,
      authorization_id: null,
    })
  })
  return { id, ...clientOf(url, token) }
}
