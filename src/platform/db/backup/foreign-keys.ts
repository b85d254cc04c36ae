import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../dialects.ts'

/**
 * Runs `work` in a transaction that checks foreign keys only at its end, so that rows and tables can be
 * inserted in any order.
 */
export async function deferringForeignKeys(
  tx: Kysely<unknown>,
  dialect: DialectName,
  work: () => Promise<void>,
): Promise<void> {
  return dialect === 'sqlite' ? deferInSqlite(tx, work) : deferInPostgres(tx, work)
}

async function deferInSqlite(tx: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  // SQLite resets this setting at the COMMIT.
  await sql`pragma defer_foreign_keys = on`.execute(tx)
  await work()
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
  const [row] = rows
  if (row) throw new Error(`A row in ${row.table} refers to a missing row in ${row.parent}`)
}

async function deferInPostgres(tx: Kysely<unknown>, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await sql<{ table: string; name: string }>`
    select relname as table, conname as name
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and not condeferrable and connamespace = current_schema()::regnamespace`.execute(tx)
  const alterConstraints = async (attribute: string) => {
    for (const { table, name } of keys) {
      await sql`alter table ${sql.table(table)} alter constraint ${sql.ref(name)} ${sql.raw(attribute)}`.execute(
        tx,
      )
    }
  }
  await alterConstraints('deferrable initially deferred')
  await work()
  await sql`set constraints all immediate`.execute(tx)
  await alterConstraints('not deferrable')
}
