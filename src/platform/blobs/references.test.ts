import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open-database.ts'
import { blobReferences } from './references.ts'

it('lists every column with the name of a blob column, so that no sweep deletes a blob in use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partita-references-'))
  const db = await openDatabase({ path: join(folder, 'partita.db') })
  try {
    await migrate(db, migrations)
    const tables = await (db.read as unknown as Kysely<unknown>).introspection.getTables()
    const columns = tables.flatMap((table) =>
      table.columns.map(({ name }) => ({ table: table.name, column: name })),
    )
    const named = columns.filter(({ column }) => /(^|_)blob$/.test(column))
    expect(new Set(blobReferences)).toEqual(new Set(named))
  } finally {
    await db.close()
    await rm(folder, { recursive: true })
  }
})
