import { insertClassSignIn, replacePin } from '../../src/features/teaching/picture-sign-in/store.ts'
import { limit } from './organizations.ts'
import type { Person, TestApp } from './app.ts'
import type { TestClass } from './classes.ts'
import { internalClient } from './client.ts'
import { signedIn } from './sessions.ts'

/** A PIN that a teacher gave to a student. */
export interface GivenPin {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly pin: string
}

/** Allows the sign-in pages of classes in an organization, and gives all students of a class PINs. */
export async function givePins(
  app: TestApp,
  organization: string,
  { id }: TestClass,
  teacher: Person,
): Promise<{ code: string; cards: GivenPin[] }> {
  await limit(app, organization, { allows_picture_sign_in: 1 })
  const client = internalClient(await signedIn(app, teacher))
  const { status, body } = await client.post(`/classes/${id}/sign-in/pins`, {})
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Inserts a PIN that nobody knows, without the rules of the organization. */
export async function storePin({ ctx }: TestApp, class_id: string, user: { id: string }): Promise<void> {
  const created_at = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    await insertClassSignIn(tx, { class_id, code: class_id, created_at })
    await replacePin(tx, { class_id, user_id: user.id, symbol: 'cat', pin_hash: 'x', created_at })
  })
}
