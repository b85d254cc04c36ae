import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeApp('markNotificationsRead', (app) => {
  it('marks one notification, or also all older ones, of the user alone', async () => {
    const { id, tess, sam, sol } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    for (const title of ['A', 'B', 'C']) await newAssignment(tess, schoolClass, { title })
    const [ofSam, ofSol] = [
      internalClient(await signedIn(app, sam)),
      internalClient(await signedIn(app, sol)),
    ]
    const unreadOf = async (client: typeof ofSam) => {
      const { notifications, unread } = (await client.get('/notifications')).body
      const titles = notifications.flatMap((one: { isRead: boolean; assignment: { title: string } }) =>
        one.isRead ? [] : one.assignment.title,
      )
      expect(unread).toBe(titles.length)
      return titles.join('')
    }
    const [c, b] = (await ofSam.get('/notifications')).body.notifications
    await ofSol.post('/notifications/read', { id: c.id })
    expect(await unreadOf(ofSam)).toBe('CBA')
    expect((await ofSam.post('/notifications/read', { id: c.id })).status).toBe(204)
    expect(await unreadOf(ofSam)).toBe('BA')
    await ofSam.post('/notifications/read', { id: b.id, andOlder: true })
    expect(await unreadOf(ofSam)).toBe('')
    await newAssignment(tess, schoolClass, { title: 'D' })
    expect(await unreadOf(ofSam)).toBe('D')
    expect(await unreadOf(ofSol)).toBe('DCBA')
  })
})
