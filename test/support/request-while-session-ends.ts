import { vi } from 'vitest'
import { revokeAllSignIns } from '../../src/auth/sessions/revocation.ts'
import type { Person, TestApp } from './app.ts'

/** Sends a request of a user whose sign-ins are all revoked before the request writes anything. */
export async function requestWhileSessionEnds<Answer>(
  { ctx }: TestApp,
  { id }: Person,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const transaction = ctx.transaction.bind(ctx)
  const spy = vi.spyOn(ctx, 'transaction').mockImplementation(async (work, durability) => {
    await transaction((tx) => revokeAllSignIns(ctx, tx, id))
    return transaction(work, durability)
  })
  try {
    return await ask()
  } finally {
    spy.mockRestore()
  }
}
