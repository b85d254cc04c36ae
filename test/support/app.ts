import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type App, startApp } from '../../src/app.ts'
import { readConfig, type SettingName } from '../../src/config.ts'
import type { Dependencies } from '../../src/create-context.ts'
import { createNotation, type Notation } from '../../src/engines/notation.ts'
import { once } from '../../src/lib/once.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { insertOrganization, newOrganization } from '../../src/features/people/organizations/store.ts'
import { type Client, clientOf } from './client.ts'
import { describeEachDatabase, type TestDatabases } from './databases.ts'
import { type ExpectedLog, expectedLog } from './expected-log.ts'
import { createPerson, type Person, type PersonOverrides, withToken } from './people.ts'
import { freePort } from './program.ts'

export type { Person } from './people.ts'

/** A running server, with functions that create its users. */
export interface TestApp {
  readonly url: string
  readonly ctx: App['ctx']
  /** A client without a token. */
  readonly anonymous: Client
  /** Creates an organization. Returns its id. */
  organization(name?: string, allowsPublicScores?: boolean): Promise<string>
  person(username: string, overrides?: PersonOverrides): Promise<Person>
  /** Returns a client of the same user whose token has only these scopes. */
  withScopes(person: Person, ...scopes: Scope[]): Promise<Person>
  /** Declares lines of the log: one that is a warning or an error and matches none of the patterns fails the file. */
  expectLog(...patterns: readonly RegExp[]): void
  /** Waits until all due jobs have run. */
  jobsDone(): Promise<void>
}

/** Declares tests against a running server, once for each database. */
export function describeApp(title: string, declare: (app: TestApp, databases: TestDatabases) => void): void {
  describeEachDatabase(title, (databases) => declare(useApp(databases), databases))
}

/** Starts a server before the tests of the surrounding `describe`, and stops it after them. */
export function useApp(
  databases: TestDatabases,
  settings: Partial<Record<SettingName, string>> = {},
  dependencies: Dependencies = {},
): TestApp {
  let app: TestApp
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ app, stop } = await startTestApp(await databases.migrated(), settings, dependencies))
  })
  afterAll(() => stop?.())
  // Tests are declared before the server runs, so the proxy looks up each property when a test reads it.
  return new Proxy({} as TestApp, { get: (_target, name) => app[name as keyof TestApp] })
}

const engines = once(() => createNotation({ processes: readConfig({}, {}).engineProcesses }))

/**
 * Returns the threads and engines that the servers of this process share, because each takes a second of CPU time to start. A
 * server that stops does not end them: they end with the process.
 */
const commonNotation = (): Notation => ({ ...engines(), close: async () => {} })

/** Starts a server on a free port. Its data folder is that of the SQLite file, or a folder of its own beside PostgreSQL. */
export async function startTestApp(
  location: { url?: string | undefined; path: string },
  settings: Partial<Record<SettingName, string>> = {},
  dependencies: Dependencies = {},
): Promise<{ app: TestApp; running: App; stop: () => Promise<void> }> {
  const dataDir = location.url ? await mkdtemp(join(tmpdir(), 'partita-test-')) : dirname(location.path)
  const config = readConfig(
    {
      port: String(await freePort()),
      dataDir,
      databaseUrl: location.url ?? '',
      logLevel: 'warn',
      durability: 'off',
      shippedContent: 'false',
      rateLimitAnonymous: '1000000',
      linkPreviews: 'false',
      rateLimitAuthenticated: '1000000',
      ...settings,
    },
    {},
  )
  const log = expectedLog(dependencies.logTo)
  const hasOwnEngines = settings.engineProcesses !== undefined || settings.prewarmEngines !== undefined
  const running = await startApp(config, {
    ...(!hasOwnEngines && { notation: commonNotation() }),
    ...dependencies,
    logTo: log,
  })
  const app = testApp(running, config.publicUrl, log)
  return {
    app,
    running,
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
      log.check()
    },
  }
}

function testApp({ ctx, worker }: App, url: string, log: ExpectedLog): TestApp {
  return {
    url,
    ctx,
    expectLog: log.expect,
    anonymous: clientOf(url),
    async organization(name = 'School', allowsPublicScores = false) {
      const id = ctx.newId()
      await ctx.transaction((tx) =>
        insertOrganization(tx, {
          ...newOrganization(id, name, ctx.clock.now()),
          allows_public_scores: allowsPublicScores ? 1 : 0,
        }),
      )
      return id
    },
    person: (username, overrides) => createPerson(ctx, url, username, overrides),
    withScopes: (person, ...scopes) => withToken(ctx, url, person, scopes),
    async jobsDone() {
      await worker.poll()
      await worker.idle()
    },
  }
}
