import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import {
  columnsOf,
  traceLine,
  readTables,
  type Trace,
  tracesOf,
} from '../../../../test/support/found-traces.ts'
import { type DepartingUsers, leaveTraces } from '../../../../test/support/traces.ts'
import { eraseAccount } from './erasure.ts'

/** The list of what stays under a heading of the documentation. */
async function documentedTraces(heading: string): Promise<string[]> {
  const page = await readFile(new URL('../../../../docs/data-rights.md', import.meta.url), 'utf8')
  const section = page.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  const rows = [...section.matchAll(/^\| `([\w.]+)` \| (id|name|text) \|/gm)]
  return rows.map(([, column = '', trace]) => traceLine(column, trace as Trace)).sort()
}

/** The columns that can identify a user: by a foreign key, or by a name. */
async function columnsOfPeople(app: TestApp): Promise<string[]> {
  const keys =
    app.ctx.db.dialect === 'sqlite'
      ? sql<{ place: string }>`select t.name || '.' || k."from" as place
          from sqlite_schema t, pragma_foreign_key_list(t.name) k where t.type = 'table' and k."table" = 'users'`
      : sql<{ place: string }>`select t.relname || '.' || a.attname as place
          from pg_constraint c join pg_class t on t.oid = c.conrelid
            join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          where c.contype = 'f' and c.confrelid = 'users'::regclass`
  const { rows } = await keys.execute(app.ctx.db.read)
  // `by_owner` is a flag.
  const named = (await columnsOf(app)).flatMap(({ table, column }) =>
    column !== 'by_owner' &&
    /(^|_)(user|owner|creator|actor|subject|holder)(_ids?)?$|(^|_)by$|mentions/.test(column)
      ? `${table}.${column}`
      : [],
  )
  return [...new Set([...rows.map(({ place }) => place), ...named])].sort()
}

describeEachDatabase('an erased account', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let before: string[]
  let users: DepartingUsers

  beforeAll(async () => {
    users = await leaveTraces(app)
    before = await tracesOf(app, users)
  }, 120_000)

  describe('before the erasure', () => {
    it('appears in every column that can identify a user', async () => {
      const people = await columnsOfPeople(app)
      expect(people.filter((column) => !before.includes(traceLine(column, 'id')))).toEqual([])
    })

    it('has rows in every table, so that this test covers all of them', async () => {
      const tables = await readTables(app)
      expect([...tables].flatMap(([table, rows]) => (rows.length === 0 ? table : []))).toEqual([])
    })
  })

  it('leaves only what docs/data-rights.md lists, right after the erasure', async () => {
    for (const { id } of Object.values(users)) await eraseAccount(app.ctx, { id })
    const expected = [
      ...(await documentedTraces('What stays')),
      ...(await documentedTraces('What stays for some days')),
    ]
    expect(await tracesOf(app, users)).toEqual([...new Set(expected)].sort())
  }, 60_000)

  it('leaves only what docs/data-rights.md lists, after some days', async () => {
    for (let days = 0; days < 9; days++) {
      clock.forward(day)
      await app.jobsDone()
    }
    await app.ctx.blobs.sweep(app.ctx.db)
    expect(await tracesOf(app, users)).toEqual(await documentedTraces('What stays'))
  }, 60_000)
})
