import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { changeStoredBytes } from '../../../features/people/storage/quota.ts'
import type { AppLogosTable, AppsTable } from '../../../platform/db/sign-in-tables.ts'

export interface App extends AppsTable {
  /** In alphabetical order. */
  redirectUris: readonly string[]
  hasLogo: boolean
}

export async function insertApp(
  tx: Transaction,
  app: AppsTable,
  redirectUris: readonly string[],
): Promise<void> {
  await tx.insertInto('apps').values(app).execute()
  const rows = redirectUris.map((uri) => ({ app_id: app.id, uri }))
  await tx.insertInto('app_redirect_uris').values(rows).execute()
}

export async function findApp(queries: Queries, id: string): Promise<App | undefined> {
  const [app] = await withUris(queries, await selectApps(queries).where('apps.id', '=', id).execute())
  return app
}

/** Returns the apps of this user, oldest first. */
export async function listAppsOf(queries: Queries, user: string): Promise<App[]> {
  return withUris(
    queries,
    await selectApps(queries).where('owner_id', '=', user).orderBy('apps.id').execute(),
  )
}

/** Returns the ids of the users who have given this app access. */
export async function listUsersOfApp(queries: Queries, app: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('authorizations')
    .where('app_id', '=', app)
    .select('user_id')
    .distinct()
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Deletes an app of this user with its logo and authorizations. Returns whether it existed. */
export async function deleteAppOf(tx: Transaction, app: { id: string; owner: string }): Promise<boolean> {
  const logo = await findAppLogo(tx, app.id)
  const { numDeletedRows } = await tx
    .deleteFrom('apps')
    .where('id', '=', app.id)
    .where('owner_id', '=', app.owner)
    .executeTakeFirst()
  if (numDeletedRows > 0n && logo) await changeStoredBytes(tx, app.owner, -logo.content.length)
  return numDeletedRows > 0n
}

/** Deletes the apps of this user that no other user has authorized. */
export async function deleteUnusedApps(tx: Transaction, owner: string, now: number): Promise<void> {
  await tx
    .deleteFrom('apps')
    .where('owner_id', '=', owner)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('authorizations')
            .whereRef('authorizations.app_id', '=', 'apps.id')
            .where('authorizations.user_id', '!=', owner)
            .where('authorizations.expires_at', '>', now)
            .select('authorizations.id'),
        ),
      ),
    )
    .execute()
}

export async function insertAppLogo(tx: Transaction, logo: AppLogosTable): Promise<void> {
  await tx.insertInto('app_logos').values(logo).execute()
}

export async function findAppLogo(queries: Queries, app: string): Promise<AppLogosTable | undefined> {
  return queries.selectFrom('app_logos').selectAll().where('app_id', '=', app).executeTakeFirst()
}

function selectApps(queries: Queries) {
  return queries
    .selectFrom('apps')
    .leftJoin('app_logos', 'app_logos.app_id', 'apps.id')
    .selectAll('apps')
    .select('app_logos.app_id as logo')
}

async function withUris(queries: Queries, apps: (AppsTable & { logo: string | null })[]): Promise<App[]> {
  const ids = apps.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await queries
          .selectFrom('app_redirect_uris')
          .selectAll()
          .where('app_id', 'in', ids)
          .orderBy('uri')
          .execute()
  return apps.map(({ logo, ...app }) => ({
    ...app,
    hasLogo: logo !== null,
    redirectUris: rows.filter(({ app_id }) => app_id === app.id).map(({ uri }) => uri),
  }))
}
