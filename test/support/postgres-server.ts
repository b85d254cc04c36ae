import { userInfo } from 'node:os'
import pg from 'pg'

/** The server that tests may use: the one at `TEST_DATABASE_URL`, else one on this machine; undefined where there is none. */
export async function findPostgres(): Promise<string | undefined> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return given
  for (const user of ['postgres', userInfo().username]) {
    const url = `postgres://${user}@127.0.0.1:5432/test`
    const found = await onPostgres(url, []).then(
      () => true,
      () => false,
    )
    if (found) return url
  }
  return undefined
}

/** Runs statements one after another, on a connection of their own. */
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

/** The address of another database on the same server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = name
  return url.href
}
