import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { createTables } from './create-tables.ts'
import { index, integer, key, table, text, uniqueIndex } from './define-table.ts'
import { type Migration, migrate } from './migrate.ts'
import { isForeignKeyViolation, isUniqueViolation } from './violations.ts'

const migrationsFor = (tables: Parameters<typeof createTables>[1]): Migration[] => [
  { name: '001-test', up: (tools) => createTables(tools, tables) },
]

describeEachDatabase('createTables', (databases) => {
  const openEmpty = async () => databases.openAgain(await databases.location())

  it('creates columns, defaults, constraints and partial indexes', async () => {
    const notes = table(
      {
        id: key().primaryKey(),
        piece_id: key().references('pieces.id', 'cascade'),
        pitch: text().nullable(),
        voice: integer().default(1),
      },
      {
        unique: { notes_by_pitch: ['piece_id', 'pitch'] },
        indexes: [
          index('notes_by_voice', ['voice', 'id']),
          uniqueIndex('notes_solo', ['piece_id'], 'voice = 9'),
        ],
      },
    )
    const pieces = table({ id: key().primaryKey() })
    const db = await openEmpty()
    // The definition of a table may come before that of a table that it refers to.
    await migrate(db, migrationsFor({ notes, pieces }))
    const run = (statement: string) => db.transaction((tx) => sql.raw(statement).execute(tx))
    await run(`insert into pieces (id) values ('air')`)
    await run(`insert into notes (id, piece_id) values ('a', 'air')`)
    expect((await sql`select * from notes`.execute(db.read)).rows).toEqual([
      { id: 'a', piece_id: 'air', pitch: null, voice: 1 },
    ])
    const errorOf = (statement: string) =>
      run(statement).then(
        () => undefined,
        (error: unknown) => error,
      )
    const insert = (values: string) => `insert into notes (id, piece_id, pitch, voice) values (${values})`
    expect(isForeignKeyViolation(await errorOf(insert(`'b', 'none', null, 1`)))).toBe(true)
    expect(await errorOf(insert(`'b', 'air', 'c', 9`))).toBeUndefined()
    expect(isUniqueViolation(await errorOf(insert(`'d', 'air', 'c', 1`)), 'notes.pitch')).toBe(true)
    expect(isUniqueViolation(await errorOf(insert(`'d', 'air', 'e', 9`)), 'notes.piece_id')).toBe(true)
    expect(await errorOf(insert(`'d', null, 'e', 1`))).toBeDefined()
    await run(`delete from pieces where id = 'air'`)
    expect((await sql`select * from notes`.execute(db.read)).rows).toEqual([])
  })

  it('refuses a reference to a table that is not defined', async () => {
    const notes = table({ id: key().primaryKey(), piece_id: key().references('pieces.id') })
    await expect(migrate(await openEmpty(), migrationsFor({ notes }))).rejects.toThrow(
      'notes refers to pieces, which is not defined',
    )
  })

  it('refuses tables that refer to each other', async () => {
    const notes = table({ id: key().primaryKey(), piece_id: key().references('pieces.id') })
    const pieces = table({ id: key().primaryKey(), last_id: key().references('notes.id') })
    await expect(migrate(await openEmpty(), migrationsFor({ notes, pieces }))).rejects.toThrow(
      'Tables refer to each other',
    )
  })
})
