import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('renewCalendarFeed', (app) => {
  it('makes another address each time, also with an idempotency key, for members alone', async () => {
    const { sam, otto } = await makeSchool(app)
    const client = internalClient(await signedIn(app, sam))
    const renew = async () =>
      (await client.post('/calendar-feed', undefined, { headers: { 'Idempotency-Key': 'a' } })).body.address
    const first = await renew()
    const second = await renew()
    expect(second).not.toBe(first)
    expect((await client.get('/calendar-feed')).body.address).toBe(second)
    expect(
      JSON.stringify(await app.ctx.db.read.selectFrom('calendar_feeds').selectAll().execute()),
    ).not.toContain(second.slice(-40))
    const { status, body } = await internalClient(await signedIn(app, otto)).post('/calendar-feed')
    expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
  })
})
