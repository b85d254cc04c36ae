import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startDatabaseProcess } from '../../../../test/support/child-process.ts'
import { composerIds, insertComposer, pieceMigrations } from '../../../../test/support/pieces.ts'
import { mountSmallDisk } from '../../../../test/support/small-disk.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { sqliteLimits } from './sqlite-transactions.ts'

let folder: string
let path: string
let opened: Database[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partita-sqlite-'))
  path = join(folder, 'new', 'partita.db')
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map((db) => db.close()))
  await rm(folder, { recursive: true })
})

async function open(at = path, limits = {}) {
  const db = await openSqliteDatabase(at, { limits: { ...sqliteLimits, ...limits } })
  opened.push(db)
  return db
}

it('creates the folder of the file without access for other system users', async () => {
  await open()
  expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
})

it('reads while another process holds the lock, and writes when that process is killed', async () => {
  const db = await open()
  await migrate(db, pieceMigrations)
  await db.transaction((tx) => insertComposer(tx, 'before'))
  const other = startDatabaseProcess('lock', { path })
  await other.waitForLines(1)
  const waiting = db.transaction((tx) => insertComposer(tx, 'after'))
  for (let transactionRun = 0; transactionRun < 50; transactionRun++) {
    expect(await composerIds(db.read)).toEqual(['before'])
    await nextTurn()
  }
  await other.kill()
  await waiting
  expect(await composerIds(db.read)).toEqual(['after', 'before'])
})

it('answers 503 while another process keeps the lock, and recovers', async () => {
  const db = await open(path, { lock: 100 })
  await migrate(db, pieceMigrations)
  const other = startDatabaseProcess('lock', { path })
  await other.waitForLines(1)
  const refused = await Promise.allSettled(
    ['a', 'b'].map((id) => db.transaction((tx) => insertComposer(tx, id))),
  )
  expect(refused).toMatchObject(
    Array(2).fill({ status: 'rejected', reason: { code: 'DATABASE_UNAVAILABLE' } }),
  )
  await other.kill()
  await db.transaction((tx) => insertComposer(tx, 'c'))
  expect(await composerIds(db.read)).toEqual(['c'])
})

it('answers 503 on a full disk, keeps acknowledged writes, and writes again when there is space', async (ctx) => {
  const disk = join(folder, 'disk')
  const unmount = await mountSmallDisk(disk, '1m')
  if (!unmount) return ctx.skip('SKIPPED: only root can mount a small disk')
  try {
    await writeFile(join(disk, 'ballast'), Buffer.alloc(300_000))
    const db = await open(join(disk, 'partita.db'))
    await migrate(db, pieceMigrations)
    const acknowledged: string[] = []
    const refused: unknown[] = []
    while (refused.length < 60) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const id = `${acknowledged.length + refused.length}-${n}-${'x'.repeat(2000)}`
          await db
            .transaction((tx) => insertComposer(tx, id))
            .then(
              () => acknowledged.push(id),
              (error) => refused.push(error),
            )
        }),
      )
    }
    expect(refused).toMatchObject(refused.map(() => ({ code: 'DATABASE_UNAVAILABLE' })))
    expect(await composerIds(db.read)).toEqual([...acknowledged].sort())

    await rm(join(disk, 'ballast'))
    await db.transaction((tx) => insertComposer(tx, 'there is room'))
    acknowledged.push('there is room')
    await db.close()
    opened.pop()
    expect(await composerIds((await open(join(disk, 'partita.db'))).read)).toEqual([...acknowledged].sort())
  } finally {
    await Promise.all(opened.splice(0).map((db) => db.close()))
    unmount()
  }
})

it('answers 503 if the file is not a database or cannot be opened', async () => {
  await mkdir(join(folder, 'new'))
  await writeFile(path, 'This is a letter, and a long one, and no database at all. '.repeat(100))
  await expect(open()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await expect(open(folder)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
})

it('answers 503 to a ping while its file is moved away or replaced, and recovers when it is back', async () => {
  const db = await open()
  await migrate(db, pieceMigrations)
  await db.ping()
  await rename(path, `${path}.moved`)
  await expect(db.ping()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await writeFile(path, '')
  await expect(db.ping()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  await rename(`${path}.moved`, path)
  await db.ping()
})

it('leaves a single file behind after it is closed', async () => {
  const db = await open()
  await migrate(db, pieceMigrations)
  await db.close()
  opened.pop()
  expect(['', '-wal', '-shm'].filter((suffix) => existsSync(`${path}${suffix}`))).toEqual([''])
})
