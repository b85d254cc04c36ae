import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('getCalendarFeed', (databases) => {
  const app = useApp(databases)
  let school: School
  let schoolClass: TestClass
  let ofSam: Client
  const dueDate = '2099-05-17T18:00:00.000Z'

  beforeAll(async () => {
    school = await makeSchool(app)
    const { id, tess, sam, sol } = school
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    await newAssignment(tess, schoolClass, { title: 'Scale, slowly', dueDate, maxPoints: 10 })
    await newAssignment(tess, schoolClass, { title: 'For Sol', dueDate, assignedStudents: [sol.id] })
    await newAssignment(tess, schoolClass, { title: 'Draft', dueDate, state: 'draft' })
    ofSam = internalClient(await signedIn(app, sam))
  })
  const renew = async (client = ofSam): Promise<string> => (await client.post('/calendar-feed')).body.address
  const statusOf = async (address: string, headers = {}) => (await fetch(address, { headers })).status

  it('is off until the user creates an address, which has the own due dates and titles alone', async () => {
    expect((await ofSam.get('/calendar-feed')).body).toEqual({ address: null })
    const address = await renew()
    expect(address).toMatch(/\/calendars\/partita_calendar_[0-9a-f]{88}\.ics$/)
    expect((await ofSam.get('/calendar-feed')).body).toEqual({ address })
    const answer = await fetch(address)
    const text = (await answer.text()).replaceAll('\r\n ', '')
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
    expect(text).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT4H\r\n')
    expect(text).toContain('DTSTART:20990517T180000Z\r\nSUMMARY:Scale\\, slowly\r\nURL:')
    expect(text.match(/SUMMARY/g)).toHaveLength(1)
    expect(text).not.toMatch(/DESCRIPTION|\b(sam|sol|tess)\b/i)
  })

  it('answers 304 until something has changed', async () => {
    const address = await renew()
    const tagOf = async () => (await fetch(address)).headers.get('etag') ?? ''
    const tag = await tagOf()
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect(await statusOf(address, { 'If-None-Match': tag })).toBe(304)
    await newAssignment(school.tess, schoolClass, { title: 'Song', dueDate })
    expect(await statusOf(address, { 'If-None-Match': tag })).toBe(200)
    expect(await tagOf()).not.toBe(tag)
  })

  it('refuses an address that was renewed, forged or switched off, and that of a removed account', async () => {
    const old = await renew()
    const address = await renew()
    const forged = address.replace(/.(?=\.ics$)/, (last) => (last === '0' ? '1' : '0'))
    const ofTess = address.replace(school.sam.id, school.tess.id)
    for (const wrong of [old, forged, ofTess, address.slice(0, -4), `${app.url}/calendars/x.ics`])
      expect(await statusOf(wrong)).toBe(404)
    expect(await statusOf(address)).toBe(200)
    expect((await ofSam.delete('/calendar-feed')).status).toBe(204)
    expect(await statusOf(address)).toBe(404)
    const sol: Person = school.sol
    const ofSol = await renew(internalClient(await signedIn(app, sol)))
    expect(await statusOf(ofSol)).toBe(200)
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', sol.id).execute(),
    )
    expect(await statusOf(ofSol)).toBe(404)
  })

  it('limits the requests for one calendar', async () => {
    const address = await renew(internalClient(await signedIn(app, school.theo)))
    const statuses = await Promise.all(Array.from({ length: 61 }, () => statusOf(address)))
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    const refused = await fetch(address)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await statusOf(await renew())).toBe(200)
  })
})
