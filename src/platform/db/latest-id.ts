import type { Database } from './database.ts'

/** Returns the latest id of the tables that grow with almost every change. */
export async function latestId({ read }: Database): Promise<string | undefined> {
  const ids = await Promise.all(
    (['audit_events', 'events', 'jobs', 'score_revisions'] as const).map(async (table) => {
      const [row] = await read.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).execute()
      return row?.id
    }),
  )
  return ids
    .filter((id) => id !== undefined)
    .sort()
    .at(-1)
}
