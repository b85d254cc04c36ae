import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../dialects.ts'

/**
 * Runs `work` in a transaction of which the foreign keys are looked at once, at its end, so that rows and tables may
 * come in any order.
 */
export async function holdingForeignKeysLate(
  tx: Kysely<unknown>,
  dialect: DialectName,
  work: () => Promise<void>,
): Promise<void> {
  return dialect === 'sqlite' ? lateInSqlite(tx, work) : lateInPostgres(tx, work)
}

async function lateInSqlite(tx: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  // Until the COMMIT, by itself.
  await sql`pragma defer_foreign_keys = on`.execute(tx)
  await work()
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
  const [row] = rows
  if (row) throw new Error(`A row in ${row.table} names one in ${row.parent} that is not there`)
}

async function lateInPostgres(tx: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await sql<{ table: string; name: string }>`
    select relname as table, conname as name
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and not condeferrable and connamespace = current_schema()::regnamespace`.execute(tx)
  const alterAll = async (how: string) => {
    for (const { table, name } of keys) {
      await sql`alter table ${sql.table(table)} alter constraint ${sql.ref(name)} ${sql.raw(how)}`.execute(tx)
    }
  }
  await alterAll('deferrable initially deferred')
  await work()
  await sql`set constraints all immediate`.execute(tx)
  await alterAll('not deferrable')
}
