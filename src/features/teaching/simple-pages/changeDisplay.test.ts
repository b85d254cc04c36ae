import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('changeDisplay', (databases) => {
  const app = useApp(databases)

  it('counts for more than the classes of the student, until it is taken back', async () => {
    const { id, tess, sam } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    const student = internalClient(await signedIn(app, sam))
    const isSimple = async () => (await student.get('/me')).body.display.simplePages
    expect(await isSimple()).toBe(false)
    const teacher = internalClient(await signedIn(app, tess))
    await teacher.put(`/classes/${schoolClass.id}/display`, { simplePages: true })
    expect(await isSimple()).toBe(true)
    const choices = [false, true, null] as const
    for (const simplePages of choices) {
      expect((await student.put('/display', { simplePages })).status).toBe(204)
      expect(await isSimple()).toBe(simplePages ?? true)
    }
    await teacher.put(`/classes/${schoolClass.id}/display`, { simplePages: false })
    expect(await isSimple()).toBe(false)
    for (const body of [{ simplePages: 'yes' }, {}])
      expect((await student.put('/display', body)).body.param).toBe('simplePages')
  })
})
