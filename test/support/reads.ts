import { vi } from 'vitest'
import { connection } from '../../src/platform/db/connection.ts'
import type { TestApp } from './app.ts'

/**
 * Counts the statements that the server sends to read the requested data, without those of jobs and of
 * authentication.
 */
export async function readsDuring({ ctx, jobsDone }: TestApp, ask: () => Promise<unknown>): Promise<number> {
  await jobsDone()
  const run = vi.spyOn(ctx.db.read[connection], 'run')
  try {
    await ask()
    return run.mock.calls.filter(([{ sql }]) => !/\b(jobs|access_tokens)\b/.test(sql)).length
  } finally {
    run.mockRestore()
  }
}
