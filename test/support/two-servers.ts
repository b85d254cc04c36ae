import type { SettingName } from '../../src/config.ts'
import { type Person, startTestApp, type TestApp } from './app.ts'
import { type Client, clientOf } from './client.ts'
import type { TestDatabases } from './databases.ts'

/** Two servers on one database, and Vera, who has an account and a client of each server. */
export interface TwoServers {
  readonly app: TestApp
  readonly other: TestApp
  readonly vera: Person
  readonly atOther: Client
  readonly otherUrl: string
  /** Returns a client of the other server for a user. */
  onOther(person: Person): Client
}

/** Runs two servers until the callback ends. */
export async function onTwoServers(
  databases: TestDatabases,
  work: (servers: TwoServers) => Promise<void>,
  settings: Partial<Record<SettingName, string>> = {},
): Promise<void> {
  const location = await databases.migrated()
  const one = await startTestApp(location, settings)
  const other = await startTestApp(location, { ...settings, dataDir: one.app.ctx.config.dataDir })
  try {
    const vera = await one.app.person('vera')
    const onOther = ({ token }: Person) => clientOf(other.app.url, token)
    await work({
      app: one.app,
      other: other.app,
      vera,
      atOther: onOther(vera),
      otherUrl: other.app.url,
      onOther,
    })
  } finally {
    await other.stop().finally(() => one.stop())
  }
}
