import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { clientOf, internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { newClient, tokensFor } from '../../../test/support/oauth.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { allScopes } from '../../contract/scopes.ts'
import { hashToken } from '../../lib/tokens.ts'
import { deleteCachedActors } from './cached-actors.ts'
import { revokeDelegation } from '../sessions/revocation.ts'
import { createPersonalToken } from '../../../test/support/personal-tokens.ts'

// The clock stands still, so that no entry of the cache expires.
describeEachDatabase('cached actors', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  const statusWith = async (token: string) => (await clientOf(app.url, token).get('/me')).status
  const isCached = ({ token }: { token: string }) =>
    app.ctx.auth.actors.get(hashToken(token), clock.now()) !== undefined

  async function cachedPersons(...names: string[]): Promise<Person[]> {
    const persons = await Promise.all(names.map((name) => app.person(name)))
    for (const { token } of persons) expect(await statusWith(token)).toBe(200)
    return persons
  }

  it('are deleted after the commit, and only for the given accounts', async () => {
    const persons = await cachedPersons('ada', 'bea', 'cleo')
    const named = persons.slice(0, 2).map(({ id }) => id)
    await app.ctx.transaction(async (tx) => {
      deleteCachedActors(app.ctx, tx, named)
      expect(persons.map(isCached)).toEqual([true, true, true])
    })
    expect(persons.map(isCached)).toEqual([false, false, true])
  })

  it('stay cached when the transaction is rolled back', async () => {
    const persons = await cachedPersons('dora')
    const change = app.ctx.transaction(async (tx) => {
      deleteCachedActors(
        app.ctx,
        tx,
        persons.map(({ id }) => id),
      )
      throw new Error('rolled back')
    })
    await expect(change).rejects.toThrow('rolled back')
    expect(persons.map(isCached)).toEqual([true])
  })

  it('stay cached when the user signs in with another browser', async () => {
    const persons = await cachedPersons('hal')
    for (const person of persons) await signedIn(app, person)
    expect(persons.map(isCached)).toEqual([true])
  })

  it('are deleted for all accounts that an administrator acts for, when the administrator loses this right', async () => {
    const [admin, ...students] = await cachedPersons('edda', 'finn', 'gus')
    const delegatedTokens = await Promise.all(
      students.map(async ({ id }) => ({
        id,
        token: await createPersonalToken(app.ctx, id, 'Acting', allScopes),
      })),
    )
    await app.ctx.transaction(async (tx) => {
      for (const { token } of delegatedTokens) {
        await tx
          .updateTable('access_tokens')
          .set({ created_by: admin?.id ?? null })
          .where('hash', '=', hashToken(token))
          .execute()
      }
    })
    for (const { token } of delegatedTokens) expect(await statusWith(token)).toBe(200)
    await app.ctx.transaction((tx) => revokeDelegation(app.ctx, tx, admin?.id ?? ''))
    for (const { token } of delegatedTokens) expect(await statusWith(token)).toBe(401)
    for (const { token } of students) expect(await statusWith(token)).toBe(200)
  })

  it('are deleted for all users of an app when the app is deleted', async () => {
    const [owner, ...users] = await cachedPersons('hana', 'ida', 'jan')
    const client = await newClient(app)
    await app.ctx.transaction(async (tx) => {
      await tx
        .updateTable('apps')
        .set({ owner_id: owner?.id ?? null })
        .where('id', '=', client.id)
        .execute()
    })
    const tokens = []
    for (const user of users) {
      const { access_token } = await tokensFor(app, user, client, { scope: 'account.public_profile' })
      tokens.push(access_token)
    }
    for (const token of tokens) expect(await statusWith(token)).toBe(200)
    const account = internalClient(await signedIn(app, owner as Person))
    expect((await account.delete(`/apps/${client.id}`)).status).toBe(204)
    for (const token of tokens) expect(await statusWith(token)).toBe(401)
    expect(users.map(isCached)).toEqual([false, false])
  })
})
