import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { submissionsOf } from '../../../../test/support/submissions.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('late work', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('is accepted for as many days as the assignment says, and later only if it was graded or returned', async () => {
    const { id, tess, sam, sol } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const latePolicy = { acceptDays: 2, percentPerDay: 10, minimumPercent: 50 }
    const dueDate = new Date(clock.now() + day).toISOString()
    const given = await newAssignment(tess, schoolClass, { type: 'newScore', dueDate, latePolicy })
    const path = `/classes/${schoolClass.id}/assignments/${given.id}`
    expect((await sam.get(path)).body.latePolicy).toEqual(latePolicy)
    const work = submissionsOf(schoolClass, given)
    const put = async (student: typeof sam, body: object) => {
      const reply = await student.put(work, body)
      return [reply.status, reply.body.code ?? reply.body.state]
    }
    clock.forward(3 * day - 1)
    expect(await put(sam, { submit: true })).toEqual([200, 'turnedIn'])
    expect(await put(sam, { submit: false })).toEqual([200, 'created'])
    expect(await put(sam, { submit: true })).toEqual([200, 'turnedIn'])
    expect(await put(sol, {})).toEqual([200, 'created'])
    clock.forward(2)
    // A work that is taken back could not be handed in again.
    expect(await put(sam, { submit: false })).toEqual([409, 'SUBMISSION_CLOSED'])
    expect(await put(sol, { submit: true })).toEqual([409, 'SUBMISSION_CLOSED'])
    expect(await put(sol, {})).toEqual([200, 'created'])
    const [ofSam] = (await tess.get(path)).body.submissions
    await tess.put(`${work}/${ofSam.id}`, { return: true })
    expect(await put(sam, { submit: true })).toEqual([200, 'turnedIn'])
    await tess.put(path, { latePolicy: null })
    expect((await tess.get(path)).body.latePolicy).toBeUndefined()
    expect(await put(sol, { submit: true })).toEqual([200, 'turnedIn'])
  })

  it.each([
    [{ acceptDays: 1.5 }, 'latePolicy.acceptDays'],
    [{ percentPerDay: 101 }, 'latePolicy.percentPerDay'],
    [{ minimumPercent: -1 }, 'latePolicy.minimumPercent'],
  ])('refuses the policy %o and names the field', async (latePolicy, param) => {
    const tina = await app.person(`tina-${param}`, {
      organization: await app.organization(),
      role: 'teacher',
    })
    const schoolClass = (await tina.post('/classes', { name: 'Strings' })).body
    const refused = await tina.post(`/classes/${schoolClass.id}/assignments`, { title: 'Scale', latePolicy })
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })
})
