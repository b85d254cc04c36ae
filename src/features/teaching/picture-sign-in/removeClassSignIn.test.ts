import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { actsOn } from '../../../../test/support/audit.ts'
import { givePins } from '../../../../test/support/class-pins.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('removeClassSignIn', (databases) => {
  const app = useApp(databases)

  it('ends the address and the PINs, and records it, as does archiving the class', async () => {
    const { id, tess, sam } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
    const at = `/classes/${schoolClass.id}/sign-in`
    const teacher = internalClient(await signedIn(app, tess))
    const { code } = await givePins(app, id, schoolClass, tess)
    expect((await teacher.delete(at)).status).toBe(204)
    expect((await teacher.get(at)).body).toMatchObject({ code: null, students: [{ symbol: null }] })
    const second = await givePins(app, id, schoolClass, tess)
    expect(second.code).not.toBe(code)
    await tess.post(`/classes/${schoolClass.id}/archive`)
    expect((await teacher.get(at)).body.code).toBe(null)
    const acts = (await actsOn(app, sam.id)).filter(({ action }) => action === 'user.pin-removed')
    expect(acts.map(({ actor }) => actor)).toEqual([tess.id, null])
  })
})
