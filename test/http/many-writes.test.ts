import { afterEach, expect, it, vi } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeEachDatabase } from '../support/databases.ts'

describeEachDatabase('many writes of one account', (databases) => {
  const app = useApp(databases)
  afterEach(() => vi.restoreAllMocks())

  it('reach the database 32 at a time, so that those of others do not wait for all of them', async () => {
    const [busy, quiet] = await Promise.all([app.person('busy'), app.person('quiet')])
    const gate = Promise.withResolvers<void>()
    const { transaction } = app.ctx
    const begun = vi.spyOn(app.ctx, 'transaction').mockImplementation(async (work, durability) => {
      if (begun.mock.calls.length <= 32) await gate.promise
      return transaction(work, durability)
    })
    const create = (person: typeof busy, title: string) => person.post('/collections', { title })
    const writes = Array.from({ length: 40 }, (_, n) => create(busy, `Busy ${n}`))
    await expect.poll(() => begun.mock.calls.length, { timeout: 20_000 }).toBe(32)
    expect((await create(quiet, 'Quiet')).status).toBe(200)
    expect(begun).toHaveBeenCalledTimes(33)
    gate.resolve()
    for (const { status } of await Promise.all(writes)) expect(status).toBe(200)
  })
})
