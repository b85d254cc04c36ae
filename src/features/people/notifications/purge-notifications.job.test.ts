import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { day } from '../../../lib/durations.ts'
import { notify } from './new-notifications.ts'

describeEachDatabase('purge-notifications', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('keeps the newest 500 of an account, for 90 days', async () => {
    const { id, tess, sam, sol } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const given = await newAssignment(tess, schoolClass)
    const event = { class_id: schoolClass.id, assignment_id: given.id, submission_id: null }
    await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 520; n++) {
        await notify(app.ctx, tx, { kind: 'commented', ...event, by: null, recipients: [sam.id] })
        await tx
          .updateTable('notifications')
          .set({ about_id: `${n}` })
          .where('user_id', '=', sam.id)
          .where('about_id', '=', given.id)
          .where('kind', '=', 'commented')
          .execute()
      }
    })
    const count = async (user: string) =>
      (await app.ctx.db.read.selectFrom('notifications').select('id').where('user_id', '=', user).execute())
        .length
    expect([await count(sam.id), await count(sol.id)]).toEqual([521, 1])
    clock.forward(2 * day)
    await app.jobsDone()
    expect([await count(sam.id), await count(sol.id)]).toEqual([500, 1])
    clock.forward(91 * day)
    await app.jobsDone()
    expect([await count(sam.id), await count(sol.id)]).toEqual([0, 0])
  })
})
