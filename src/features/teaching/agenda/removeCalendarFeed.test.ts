import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('removeCalendarFeed', (app) => {
  it('switches the calendar off, and changes nothing if it is off', async () => {
    const { sam } = await makeSchool(app)
    const client = internalClient(await signedIn(app, sam))
    const { address } = (await client.post('/calendar-feed')).body
    for (let n = 0; n < 2; n++) expect((await client.delete('/calendar-feed')).status).toBe(204)
    expect((await client.get('/calendar-feed')).body).toEqual({ address: null })
    expect((await fetch(address)).status).toBe(404)
  })
})
