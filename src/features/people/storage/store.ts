import { sql } from 'kysely'
import { emptyHourlySum, type HourlySum } from '../../../lib/hourly-sum.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'

/** The quota of an account and of its organization: `organization_id`, `max_storage`, and that of the organization. */
export type StoredQuotas = [organization: string | null, own: number | null, ofOrganization: number | null]

/**
 * Adds `more` bytes to an account. Returns the new row, with the JSON of `StoredQuotas`. `more` is negative after a deletion.
 */
export const addToAccount = compiled((db, p: Params<{ user: string; more: number }>) =>
  db
    .insertInto('user_storage')
    .values({
      user_id: p('user'),
      bytes: p('more'),
      deleted: sql.lit(emptyHourlySum),
      saved_for_others: sql.lit(emptyHourlySum),
    })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((eb) => ({ bytes: eb('user_storage.bytes', '+', eb.ref('excluded.bytes')) })),
    )
    .returning(['bytes', 'deleted', 'saved_for_others'])
    .returning((eb) =>
      eb
        .selectFrom('users')
        .leftJoin('organizations', 'organizations.id', 'users.organization_id')
        .whereRef('users.id', '=', 'user_storage.user_id')
        .select(
          p.packed(['users.organization_id', 'users.max_storage', 'organizations.max_storage']).as('values'),
        )
        .as('quotas'),
    ),
)

/** Replaces the bytes that an account deleted recently. */
export const updateDeleted = compiled((db, p: Params<{ user: string; deleted: HourlySum }>) =>
  db
    .updateTable('user_storage')
    .set({ deleted: p('deleted') })
    .where('user_id', '=', p('user')),
)

/** Replaces the bytes that an account saved recently in what others own. */
export const updateSavedForOthers = compiled((db, p: Params<{ user: string; saved: HourlySum }>) =>
  db
    .updateTable('user_storage')
    .set({ saved_for_others: p('saved') })
    .where('user_id', '=', p('user')),
)

/** Adds `more` bytes to an organization. Returns the new number. */
export const addToOrganization = compiled((db, p: Params<{ organization: string; more: number }>) =>
  db
    .insertInto('organization_storage')
    .values({ organization_id: p('organization'), bytes: p('more') })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet((eb) => ({ bytes: eb('organization_storage.bytes', '+', eb.ref('excluded.bytes')) })),
    )
    .returning('bytes'),
)

/** Returns the number of bytes that an account counts. */
export async function findAccountBytes(queries: Queries, user: string): Promise<number> {
  const row = await queries
    .selectFrom('user_storage')
    .select('bytes')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** Returns the number of bytes that an organization counts. */
export async function findOrganizationBytes(queries: Queries, organization: string): Promise<number> {
  const row = await queries
    .selectFrom('organization_storage')
    .select('bytes')
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** Deletes the row of an account that is erased. */
export async function deleteAccountBytes(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('user_storage').where('user_id', '=', user).execute()
}

/** Reads what an account has stored, with its quotas and those of its organization. */
export const findUse = compiled((db, p: Params<{ user: string }>) =>
  db
    .selectFrom('users')
    .leftJoin('user_storage', 'user_storage.user_id', 'users.id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .leftJoin('organization_storage', 'organization_storage.organization_id', 'users.organization_id')
    .where('users.id', '=', p('user'))
    .select(['users.organization_id', 'users.max_storage'])
    .select(['organizations.max_storage as organization_max_storage'])
    .select(['user_storage.bytes', 'user_storage.deleted', 'user_storage.saved_for_others'])
    .select(['organization_storage.bytes as organization_bytes']),
)

export type StoredUse = Awaited<ReturnType<typeof findUse>>[number]
