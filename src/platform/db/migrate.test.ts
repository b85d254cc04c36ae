import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { startDatabaseProcess } from '../../../test/support/child-process.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { composerIds, insertComposer, pieceMigrations } from '../../../test/support/pieces.ts'
import { createTables } from './create-tables.ts'
import { index, integer, key, real, type Table, table } from './define-table.ts'
import { type Migration, migrate, pendingMigrations } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { schemaHash } from './schema-hash.ts'

const names = pieceMigrations.map(({ name }) => name)

const failing: Migration = {
  name: '003-failing',
  async up({ createTable, types }) {
    await createTable('half_made').addColumn('id', types.key).execute()
    throw new Error('cannot go on')
  },
}

describeEachDatabase('migrations', (databases) => {
  const openEmpty = async () => databases.openAgain(await databases.location())

  it('are applied in order, once', async () => {
    const db = await openEmpty()
    expect(await pendingMigrations(db, pieceMigrations)).toEqual(names)
    expect(await migrate(db, pieceMigrations.slice(0, 1))).toEqual(names.slice(0, 1))
    expect(await pendingMigrations(db, pieceMigrations)).toEqual(names.slice(1))
    expect(await migrate(db, pieceMigrations)).toEqual(names.slice(1))
    expect(await migrate(db, pieceMigrations)).toEqual([])
    await db.transaction((tx) => insertComposer(tx, 'bach'))
  })

  it('roll back when one fails, and continue from there the next time', async () => {
    const db = await openEmpty()
    await expect(migrate(db, [...pieceMigrations, failing])).rejects.toThrow('cannot go on')
    expect(await pendingMigrations(db, [...pieceMigrations, failing])).toEqual(['003-failing'])
    const corrected: Migration = {
      name: failing.name,
      up: async ({ createTable, types }) => createTable('half_made').addColumn('id', types.key).execute(),
    }
    expect(await migrate(db, [...pieceMigrations, corrected])).toEqual(['003-failing'])
  })

  it('are refused with a message if a newer version has migrated the database', async () => {
    const db = await openEmpty()
    await migrate(db, pieceMigrations)
    await expect(migrate(db, pieceMigrations.slice(0, 1))).rejects.toThrow(/newer version.*002-pieces/)
    await expect(pendingMigrations(db, [])).rejects.toThrow(/newer version/)
  })

  it('can be run by several callers concurrently', async () => {
    const location = await databases.location()
    const several = await Promise.all([1, 2, 3].map(() => databases.openAgain(location)))
    const applied = await Promise.all(several.map((db) => migrate(db, pieceMigrations)))
    expect(applied.flat().sort()).toEqual(names)
  })

  it('can be run by several processes concurrently', async () => {
    const location = await databases.location()
    const processes = [1, 2, 3].map(() => startDatabaseProcess('migrate', location))
    expect(await Promise.all(processes.map((one) => one.finished()))).toEqual([0, 0, 0])
    const applied = processes.flatMap(({ lines }) => (lines[1] ?? '').split(',')).filter(Boolean)
    expect(applied.sort()).toEqual(names)
    expect(await composerIds((await databases.openAgain(location)).read)).toEqual([])
  })

  it('create tables that refuse a value of another type', async () => {
    const db = await databases.open(pieceMigrations)
    const wrong = db.transaction((tx) => sql`insert into pieces (bars) values ('many')`.execute(tx))
    await expect(wrong).rejects.toThrow()
  })

  it('after a baseline are recorded but not run on an empty database', async () => {
    const db = await openEmpty()
    const baseline: Migration = {
      name: '001-baseline',
      isBaseline: true,
      up: async ({ createTable, types }) => createTable('whole').addColumn('id', types.key).execute(),
    }
    expect(await migrate(db, [baseline, failing])).toEqual([baseline.name, failing.name])
    expect(await pendingMigrations(db, [baseline, failing])).toEqual([])
  })

  it('after a baseline run on a database that was created before them', async () => {
    const db = await openEmpty()
    const later: Migration = {
      name: '002-later',
      up: async ({ createTable, types }) => createTable('later').addColumn('id', types.key).execute(),
    }
    const baseline: Migration = { name: '001-baseline', isBaseline: true, up: async () => {} }
    expect(await migrate(db, [baseline])).toEqual([baseline.name])
    expect(await migrate(db, [baseline, later])).toEqual([later.name])
    expect((await sql`select id from later`.execute(db.read)).rows).toEqual([])
  })

  describe('from table definitions', () => {
    const notes = { notes: table({ id: key().primaryKey(), pitch: integer() }) }
    const changed = { notes: table({ id: key().primaryKey(), pitch: real() }) }
    const baselineOf = (tables: Record<string, Table>): Migration => ({
      name: '001-baseline',
      isBaseline: true,
      schemaHash: schemaHash(tables),
      up: (tools) => createTables(tools, tables),
    })
    const refusal = /created by another development version/

    it('are refused with a message if the tables were created from other definitions', async () => {
      const db = await openEmpty()
      await migrate(db, [baselineOf(notes)])
      expect(await migrate(db, [baselineOf(notes)])).toEqual([])
      await expect(migrate(db, [baselineOf(changed)])).rejects.toThrow(refusal)
      await expect(pendingMigrations(db, [baselineOf(changed)])).rejects.toThrow(refusal)
    })

    it('are refused if the database was created before hashes were stored', async () => {
      const db = await openEmpty()
      await migrate(db, [baselineOf(notes)])
      await db.exclusive((tx) => sql`alter table migrations drop column schema_hash`.execute(tx))
      await expect(migrate(db, [baselineOf(notes)])).rejects.toThrow(refusal)
    })

    it('may change together with a later migration', async () => {
      const db = await openEmpty()
      await migrate(db, [baselineOf(notes)])
      const later: Migration = { name: '002-real-pitch', up: async () => {} }
      expect(await migrate(db, [baselineOf(changed), later])).toEqual([later.name])
      expect(await migrate(db, [baselineOf(changed), later])).toEqual([])
      await expect(migrate(db, [baselineOf(notes), later])).rejects.toThrow(refusal)
    })

    it('have a hash that does not depend on the order of tables and columns', () => {
      const reordered = { notes: table({ pitch: integer(), id: key().primaryKey() }) }
      expect(schemaHash(reordered)).toBe(schemaHash(notes))
      expect(schemaHash(changed)).not.toBe(schemaHash(notes))
      const indexed = table(notes.notes.columns, { indexes: [index('notes_by_pitch', ['pitch'])] })
      expect(schemaHash({ notes: indexed })).not.toBe(schemaHash(notes))
    })
  })

  it('of this version can be applied', async () => {
    const db = await openEmpty()
    expect(await migrate(db, migrations)).toEqual(migrations.map(({ name }) => name))
  })
})

it('are numbered in the order in which they are applied', () => {
  const numbers = migrations.map(({ name }) => Number(/^(\d{3})-/.exec(name)?.[1]))
  expect(numbers).not.toContain(Number.NaN)
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
})
