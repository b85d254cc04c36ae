import { vi } from 'vitest'
import { connection } from '../../src/db/connection.ts'
import type { TestApp } from './app.ts'

/** How many statements the server sends to read what it is asked for; not those about its jobs, or about who asks. */
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
