import { userInfo } from 'node:os'
import pg from 'pg'

/**
 * Returns the PostgreSQL server for tests: `TEST_DATABASE_URL`, or else a local server; undefined without
 * either.
 */
export async function findPostgres(): Promise<string | undefined> {
  const configuredUrl = process.env.TEST_DATABASE_URL
  if (configuredUrl) return configuredUrl
  for (const user of ['postgres', userInfo().username]) {
    const url = `postgres://${user}@127.0.0.1:5432/test`
    const isReachable = await onPostgres(url, []).then(
      () => true,
      () => false,
    )
    if (isReachable) return url
  }
  return undefined
}

/** Runs statements one after another on a new connection. */
export async function onPostgres(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Returns the URL of another database on the same server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = name
  return url.href
}
