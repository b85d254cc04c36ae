/**
 * Measures the database without a server: `node bench/database.ts [postgres://…]`. Prints baselines of
 * the same run with the figures, so that ratios can be compared between machines.
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { compiled, type Params } from '../src/platform/db/compiled.ts'
import type { Database, Queries, Transaction } from '../src/platform/db/database.ts'
import { type Migration, migrate } from '../src/platform/db/migrate.ts'
import { openDatabase } from '../src/platform/db/open-database.ts'

interface Row {
  id: string
  number: number
  text: string
}
type BenchTables = { one: Row; other: Row }

const createTables: Migration = {
  name: '001-bench',
  async up({ createTable, types }) {
    for (const name of ['one', 'other']) {
      await createTable(name)
        .addColumn('id', types.key, (column) => column.primaryKey())
        .addColumn('number', types.integer, (column) => column.notNull())
        .addColumn('text', types.text, (column) => column.notNull())
        .execute()
    }
  },
}

const onTables = (queries: unknown) => queries as Kysely<BenchTables>
const findRow = compiled((db, p: Params<{ id: string }>) =>
  onTables(db).selectFrom('one').selectAll().where('id', '=', p('id')),
)
const insertOne = compiled((db, p: Params<Row>) =>
  onTables(db)
    .insertInto('one')
    .values({ id: p('id'), number: p('number'), text: p('text') }),
)
const insertOther = compiled((db, p: Params<Row>) =>
  onTables(db)
    .insertInto('other')
    .values({ id: p('id'), number: p('number'), text: p('text') }),
)

const storedRows = 10_000
const idOf = (index: number) => `row${index % storedRows}`
let written = 0

async function writeTwoRows(tx: Transaction): Promise<void> {
  const row = { id: `written${written++}`, number: written, text: 'x'.repeat(200) }
  await insertOne(tx, row)
  await insertOther(tx, row)
}

/**
 * Returns how many calls of `work` complete per second.
 * @param callers the number of concurrent callers; each starts its next call when the one before has completed
 * @param calls the number of calls of all callers together
 */
async function rate(callers: number, calls: number, work: (index: number) => unknown): Promise<number> {
  let index = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (index < calls) await work(index++)
    }),
  )
  return (1000 * calls) / (performance.now() - startedAt)
}

async function measure(db: Database, reads: number, baselines: Record<string, number>): Promise<void> {
  await migrate(db, [createTables])
  await db.transaction(async (tx) => {
    for (let index = 0; index < storedRows; index++)
      await insertOne(tx, { id: idOf(index), number: index, text: 'x' })
  })
  const findRowUncompiled = (queries: Queries, id: string) =>
    onTables(queries).selectFrom('one').selectAll().where('id', '=', id).execute()
  const figures = {
    ...baselines,
    'point reads, compiled, 1 caller': await rate(1, reads / 3, (index) =>
      findRow(db.read, { id: idOf(index) }),
    ),
    'point reads, compiled, 50 callers': await rate(50, reads, (index) =>
      findRow(db.read, { id: idOf(index) }),
    ),
    'point reads, built each time, 50 callers': await rate(50, reads / 3, (index) =>
      findRowUncompiled(db.read, idOf(index)),
    ),
    'durable writes of two rows, 1 caller': await rate(1, 1_000, () => db.transaction(writeTwoRows)),
    'durable writes of two rows, 50 callers': await rate(50, reads / 5, () => db.transaction(writeTwoRows)),
  }
  console.log(`\n${db.dialect}`)
  for (const [label, perSecond] of Object.entries(figures)) {
    console.log(`${label.padEnd(44)} ${Math.round(perSecond).toLocaleString('en').padStart(10)}/s`)
  }
}

async function measureSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'partita-bench-'))
  const path = join(folder, 'bench.db')
  const file = openSync(join(folder, 'sync'), 'w')
  const block = Buffer.alloc(4096)
  const syncs = await rate(1, 500, () => {
    writeSync(file, block)
    fdatasyncSync(file)
  })
  closeSync(file)
  const plain = new DatabaseSync(':memory:')
  plain.exec('CREATE TABLE one (id text PRIMARY KEY, number integer, text text) STRICT')
  const insert = plain.prepare('INSERT INTO one VALUES (?, ?, ?)')
  for (let index = 0; index < storedRows; index++) insert.run(idOf(index), index, 'x')
  const find = plain.prepare('SELECT * FROM one WHERE id = ?')
  const reads = await rate(1, 300_000, (index) => find.all(idOf(index)))
  const db = await openDatabase({ path })
  await measure(db, 300_000, {
    'baseline: block written and synced': syncs,
    'baseline: prepared statement in memory': reads,
  })
  await db.close()
  rmSync(folder, { recursive: true })
}

async function measurePostgres(server: string): Promise<void> {
  const schema = `bench_${process.pid}`
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`CREATE SCHEMA ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  const db = await openDatabase({ url: url.href, path: '' })
  try {
    const roundTrips = await rate(1, 5_000, () => client.query('SELECT 1'))
    await measure(db, 50_000, { 'baseline: round trips': roundTrips })
  } finally {
    await db.close()
    await client.query(`DROP SCHEMA ${schema} CASCADE`)
    await client.end()
  }
}

await measureSqlite()
if (process.argv[2]) await measurePostgres(process.argv[2])
