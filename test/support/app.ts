import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type App, startApp } from '../../src/app.ts'
import { readConfig, type SettingName } from '../../src/config.ts'
import type { Surroundings } from '../../src/context.ts'
import { allScopes, type Scope } from '../../src/contract/scopes.ts'
import type { OrganizationRole } from '../../src/contract/users.ts'
import { createPersonalToken } from '../../src/features/access-tokens/personal-token.ts'
import { insertOrganization, newOrganization } from '../../src/features/organizations/store.ts'
import { acceptInvitations } from '../../src/features/scores/collaborators.ts'
import { accountOf, hashPassword, type NewAccount } from '../../src/features/users/accounts.ts'
import { insertUser } from '../../src/features/users/store.ts'
import { type Client, clientOf } from './client.ts'
import { describeEachDatabase, type TestDatabases } from './databases.ts'
import { freePort } from './program.ts'

/** Someone with an account and a token for everything. */
export interface Person extends Client {
  readonly id: string
  readonly username: string
  readonly token: string
}

/** A server that is really running, and the people who use it. */
export interface TestApp {
  readonly url: string
  readonly ctx: App['ctx']
  /** Someone who has no token. */
  readonly stranger: Client
  /** Makes an organization; its id. */
  organization(name?: string, allowsPublicScores?: boolean): Promise<string>
  person(username: string, about?: Partial<NewAccount> & { role?: OrganizationRole }): Promise<Person>
  /** The same person by a token with these scopes only. */
  withScopes(person: Person, ...scopes: Scope[]): Promise<Person>
  /** Waits until the jobs that are due are done. */
  jobsDone(): Promise<void>
}

/** Declares tests against a running server, once for each database. */
export function describeApp(title: string, declare: (app: TestApp, databases: TestDatabases) => void): void {
  describeEachDatabase(title, (databases) => declare(useApp(databases), databases))
}

/** A server for the tests around the call: started before them, stopped after them. */
export function useApp(
  databases: TestDatabases,
  settings: Partial<Record<SettingName, string>> = {},
  surroundings: Surroundings = {},
): TestApp {
  let app: TestApp
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ app, stop } = await startTestApp(await databases.migrated(), settings, surroundings))
  })
  afterAll(() => stop?.())
  // The tests are declared before the server runs, so what they hold looks it up when it is used.
  return new Proxy({} as TestApp, { get: (_target, name) => app[name as keyof TestApp] })
}

/** Starts a server on a free port, its data in a folder of its own. */
export async function startTestApp(
  location: { url?: string | undefined; path: string },
  settings: Partial<Record<SettingName, string>> = {},
  surroundings: Surroundings = {},
): Promise<{ app: TestApp; running: App; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
  const config = readConfig(
    {
      port: String(await freePort()),
      dataDir,
      databaseUrl: location.url ?? '',
      logLevel: 'silent',
      shippedContent: 'false',
      rateLimitAnonymous: '1000000',
      linkPreviews: 'false',
      rateLimitAuthenticated: '1000000',
      ...settings,
    },
    {},
  )
  const running = await startApp(config, surroundings)
  const app = testApp(running, config.publicUrl)
  return {
    app,
    running,
    async stop() {
      await running.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const hashes = new Map<string, Promise<string>>()

/** Takes long on purpose, so that people with the same password share one hash. */
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  return hash
}

function testApp({ ctx, worker }: App, url: string): TestApp {
  async function personWith(user: { id: string; username: string }, scopes: readonly Scope[]): Promise<Person> {
    const token = await createPersonalToken(ctx, user.id, 'Test', scopes)
    return { id: user.id, username: user.username, token, ...clientOf(url, token) }
  }
  return {
    url,
    ctx,
    stranger: clientOf(url),
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
    async person(username, about = {}) {
      const hash = await hashOf(about.password ?? 'correct horse')
      const user = accountOf({ username, ...about }, hash, ctx.newId(), ctx.clock.now())
      await ctx.transaction(async (tx) => {
        await insertUser(tx, user)
        await acceptInvitations(tx, user)
      })
      return personWith(user, allScopes)
    },
    withScopes: (person, ...scopes) => personWith(person, scopes),
    async jobsDone() {
      await worker.look()
      await worker.idle()
    },
  }
}
