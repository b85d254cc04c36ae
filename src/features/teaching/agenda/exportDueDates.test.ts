import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import type { Person } from '../../../../test/support/people.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('exportDueDates', (app) => {
  it('has the due dates that a student and a teacher can see, and no others', async () => {
    const { id, tess, sam, sol, otto } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const dueDate = '2099-05-17T18:00:00.000Z'
    const given = await newAssignment(tess, schoolClass, { title: 'Scale, slowly', dueDate })
    await newAssignment(tess, schoolClass, { title: 'No date' })
    await newAssignment(tess, schoolClass, { title: 'For Sol', dueDate, assignedStudents: [sol.id] })
    await newAssignment(tess, schoolClass, { title: 'Draft', dueDate, state: 'draft' })
    const calendarOf = async (person: Person) => {
      const { status, headers, bytes } = await internalClient(await signedIn(app, person)).get(
        '/due-dates.ics',
      )
      expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
      return Buffer.from(bytes).toString().replaceAll('\r\n ', '')
    }
    const titlesOf = async (person: Person) =>
      [...(await calendarOf(person)).matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title).sort()
    const ofSam = await calendarOf(sam)
    expect(ofSam).toContain('DTSTART:20990517T180000Z\r\nSUMMARY:Scale\\, slowly\r\n')
    expect(ofSam).toContain(`/classes/${schoolClass.id}/work/${given.id}\r\n`)
    expect(await titlesOf(sam)).toEqual(['Scale\\, slowly'])
    expect(await titlesOf(sol)).toEqual(['For Sol', 'Scale\\, slowly'])
    expect(await titlesOf(tess)).toEqual(['For Sol', 'Scale\\, slowly'])
    expect(await titlesOf(otto)).toEqual([])
  })
})
