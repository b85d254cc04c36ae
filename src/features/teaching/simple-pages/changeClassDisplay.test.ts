import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('changeClassDisplay', (databases) => {
  const app = useApp(databases)

  it('concerns the students of the class while it is active, and no teacher', async () => {
    const { id, tess, theo, sam, sol } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    const path = `/classes/${schoolClass.id}/display`
    const [teacher, other, student, outside] = await Promise.all(
      [tess, theo, sam, sol].map(async (person) => internalClient(await signedIn(app, person))),
    )
    const simple = async () =>
      Promise.all(
        [student, outside, teacher].map(async (one) => (await one?.get('/me'))?.body.display.simplePages),
      )
    expect((await other?.put(path, { simplePages: true }))?.body.code).toBe('CLASS_NOT_FOUND')
    for (let time = 0; time < 2; time++)
      expect((await teacher?.put(path, { simplePages: true }))?.status).toBe(204)
    expect(await simple()).toEqual([true, false, false])
    expect((await teacher?.get(`/classes/${schoolClass.id}/sign-in`))?.body.simplePages).toBe(true)
    await tess.post(`/classes/${schoolClass.id}/archive`)
    expect(await simple()).toEqual([false, false, false])
    expect((await teacher?.put(path, { simplePages: false }))?.body.code).toBe('CLASS_ARCHIVED')
    await tess.delete(`/classes/${schoolClass.id}/archive`)
    await teacher?.put(path, { simplePages: false })
    expect(await simple()).toEqual([false, false, false])
  })
})
