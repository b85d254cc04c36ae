import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { groupCommit, type OpenGroup, type WaitingTransaction } from './group-commit.ts'
import { transactionScope, type TransactionRun } from './transaction-scope.ts'

interface Target {
  readonly durable: boolean
}

/** Opens groups after a delay, as a pool of connections does. */
async function begin(waiting: WaitingTransaction<Target>[]): Promise<OpenGroup<Target>> {
  const target = { durable: waiting[0]?.durable === true }
  await delay(3)
  return {
    isOver: () => false,
    async run(one) {
      const transactionRun: TransactionRun = { open: true, failure: undefined }
      return { outcome: { value: await one.run(transactionRun, target) } }
    },
    commit: async () => undefined,
  }
}

it('runs a durable transaction only in a durable group, even if slow groups are overtaken', async () => {
  const limits = { transactions: 100, age: 10_000, overtakeAfter: 2 }
  const groups = groupCommit<Target>(
    transactionScope(),
    limits,
    { logError: () => {}, onGroup: () => {} },
    begin,
  )
  const ask = async (n: number) => {
    await delay(n)
    const work = async ({ durable }: Target) => {
      await delay(n % 5)
      return durable
    }
    return groups.transaction(work, { durable: n % 2 === 0 })
  }
  const groupDurabilities = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)))
  expect(groupDurabilities.filter((_, n) => n % 2 === 0)).toEqual(Array(100).fill(true))
  expect(groupDurabilities).toContain(false)
  await groups.close()
})
