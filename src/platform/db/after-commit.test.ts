import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { composerIds, insertComposer, pieceMigrations } from '../../../test/support/pieces.ts'
import { afterCommit } from './after-commit.ts'
import { deferredWrite } from './connection.ts'
import type { Transaction } from './database.ts'
import { migrate } from './migrate.ts'

describeEachDatabase('afterCommit', (databases) => {
  it('runs callbacks after the commit and before the promise of the transaction resolves', async () => {
    const db = await databases.open(pieceMigrations)
    const order: string[] = []
    const committed: Promise<string[]>[] = []
    const insert = (id: string) =>
      db.transaction(async (tx) => {
        afterCommit(tx, () => {
          order.push(`${id} first`)
          committed.push(composerIds(db.read))
        })
        await insertComposer(tx, id)
        afterCommit(tx, () => order.push(`${id} second`))
        order.push(`${id} ends`)
      })
    await Promise.all(['a', 'b'].map((id) => insert(id).then(() => order.push(`${id} resolves`))))
    for (const id of ['a', 'b']) {
      const steps = order.filter((step) => step.startsWith(id)).map((step) => step.slice(2))
      expect(steps).toEqual(['ends', 'first', 'second', 'resolves'])
    }
    expect((await Promise.all(committed)).map((ids) => ids.length)).not.toContain(0)
    expect((await composerIds(db.read)).length).toBe(2)
  })

  it('runs no callback of a transaction that fails, but those of the other ones in its group', async () => {
    const db = await databases.open(pieceMigrations)
    const calls: string[] = []
    const insert = (id: string, end: (tx: Transaction) => unknown = () => {}) =>
      db.transaction(async (tx) => {
        afterCommit(tx, () => calls.push(id))
        await insertComposer(tx, id)
        await end(tx)
      })
    await Promise.allSettled([
      insert('a'),
      insert('throws', () => Promise.reject(new Error('mine'))),
      insert('violates', (tx) => insertComposer(tx, 'a')),
      insert('catches', (tx) => insertComposer(tx, 'a').catch(() => {})),
      insert('defers', async (tx) => deferredWrite(tx, insertComposer(tx, 'a'))),
      insert('b'),
    ])
    expect(calls).toEqual(await composerIds(db.read))
    expect(calls).toEqual(['a', 'b'])
  })

  it('logs the error of a callback, runs the next one and resolves the transaction', async () => {
    const errors: unknown[] = []
    const location = await databases.location()
    const db = await databases.openAgain(location, { logError: (error) => errors.push(error) })
    await migrate(db, pieceMigrations)
    const error = new Error('mine')
    const calls: string[] = []
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      afterCommit(tx, () => {
        throw error
      })
      afterCommit(tx, () => calls.push('next'))
    })
    expect([errors, calls, await composerIds(db.read)]).toEqual([[error], ['next'], ['bach']])
  })

  it('allows a new transaction in a callback', async () => {
    const db = await databases.open(pieceMigrations)
    let next: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'a')
      afterCommit(tx, () => {
        next = db.transaction((tx) => insertComposer(tx, 'b'))
      })
    })
    await next
    expect(await composerIds(db.read)).toEqual(['a', 'b'])
  })

  it('refuses a callback outside of a transaction or after its end', async () => {
    const db = await databases.open(pieceMigrations)
    let ended: Transaction | undefined
    await db.transaction(async (tx) => {
      ended = tx
    })
    for (const target of [ended, db.read]) {
      expect(() => afterCommit(target as Transaction, () => {})).toThrow('afterCommit needs a transaction')
    }
  })
})
