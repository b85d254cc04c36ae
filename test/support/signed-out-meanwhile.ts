import { vi } from 'vitest'
import { endSignIns } from '../../src/features/sessions/ending.ts'
import type { Person, TestApp } from './app.ts'

/** Asks something as somebody who is signed out everywhere while it is carried out: before anything is written. */
export async function signedOutMeanwhile<Answer>(
  { ctx }: TestApp,
  { id }: Person,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const transaction = ctx.transaction.bind(ctx)
  const spy = vi.spyOn(ctx, 'transaction').mockImplementation(async (work, durability) => {
    await transaction((tx) => endSignIns(tx, id))
    return transaction(work, durability)
  })
  try {
    return await ask()
  } finally {
    spy.mockRestore()
  }
}
