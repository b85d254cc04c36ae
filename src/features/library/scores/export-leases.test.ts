import { expect, it, vi } from 'vitest'
import type { TestApp } from '../../../../test/support/app.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { Failure } from '../../../errors.ts'
import { hour, second } from '../../../lib/durations.ts'
import { insertLease } from './export-leases.store.ts'
import { variantOf } from './export-variant.ts'

describeEachDatabase('an export that two servers are asked for', (databases) => {
  it('is made once', async () => {
    await onTwoServers(databases, async ({ app, other, vera, atOther }) => {
      const { id } = (await vera.post('/scores', { data: musicXml() })).body
      const begun = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      const { write } = app.ctx.notation
      vi.spyOn(app.ctx.notation, 'write').mockImplementation(async (...parameters) => {
        begun.resolve()
        await finish.promise
        return write(...parameters)
      })
      const made = vi.spyOn(other.ctx.notation, 'write')
      const looked = vi.spyOn(other.ctx, 'transaction')
      const path = `/scores/${id}/revisions/last/svg`
      const first = vera.get(path)
      await begun.promise
      const second = atOther.get(path)
      await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(1)
      finish.resolve()
      const [one, same] = await Promise.all([first, second])
      expect([one.status, same.status]).toEqual([200, 200])
      expect(same.bytes).toEqual(one.bytes)
      expect(made).not.toHaveBeenCalled()
      expect(await leases(app)).toEqual([])
    })
  })

  it('is made by the other one if the first fails', async () => {
    await onTwoServers(databases, async ({ app, other, vera, atOther }) => {
      const { id } = (await vera.post('/scores', { data: musicXml() })).body
      const begun = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      app.expectLog(/ENGINE_UNAVAILABLE/)
      vi.spyOn(app.ctx.notation, 'write').mockImplementation(async () => {
        begun.resolve()
        await finish.promise
        throw new Failure('ENGINE_UNAVAILABLE')
      })
      const path = `/scores/${id}/revisions/last/svg`
      const first = vera.get(path)
      await begun.promise
      const looked = vi.spyOn(other.ctx, 'transaction')
      const second = atOther.get(path)
      await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(1)
      finish.resolve()
      expect([(await first).status, (await second).status]).toEqual([503, 200])
    })
  })

  it('is made by a server that has waited for 30 s', async () => {
    await onTwoServers(databases, async ({ app, vera }) => {
      const { id } = (await vera.post('/scores', { data: musicXml() })).body
      const revision = (await vera.get(`/scores/${id}/revisions/last`)).body.id
      const now = app.ctx.clock.now()
      const held = {
        revision_id: revision,
        variant: variantOf(app.ctx, { format: 'svg' }),
        lease: 'of another server',
        until: now + hour,
        now,
      }
      await app.ctx.transaction((tx) => insertLease(tx, held))
      const looked = vi.spyOn(app.ctx, 'transaction')
      const made = vi.spyOn(app.ctx.notation, 'write')
      const response = vera.get(`/scores/${id}/revisions/last/svg`)
      await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(1)
      expect(made).not.toHaveBeenCalled()
      vi.spyOn(app.ctx.clock, 'now').mockImplementation(() => now + 31 * second)
      expect((await response).status).toBe(200)
      expect(made).toHaveBeenCalledOnce()
    })
  })

  it('is made at once if the server that made it was killed and its lease has expired', async () => {
    await onTwoServers(databases, async ({ app, vera }) => {
      const { id } = (await vera.post('/scores', { data: musicXml() })).body
      const revision = (await vera.get(`/scores/${id}/revisions/last`)).body.id
      await app.ctx.transaction((tx) =>
        insertLease(tx, {
          revision_id: revision,
          variant: variantOf(app.ctx, { format: 'svg' }),
          lease: 'killed',
          until: app.ctx.clock.now(),
          now: 0,
        }),
      )
      expect((await vera.get(`/scores/${id}/revisions/last/svg`)).status).toBe(200)
      expect(await leases(app)).toEqual([])
    })
  })
})

const leases = ({ ctx }: TestApp) => ctx.db.read.selectFrom('export_leases').selectAll().execute()
