import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { givePins } from '../../../../test/support/class-pins.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('getClassSignIn', (databases) => {
  const app = useApp(databases)

  it('says whether the organization allows it, and who has a PIN, but no PIN', async () => {
    const { id, tess, sam, sol } = await makeSchool(app)
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    const path = `/classes/${schoolClass.id}/sign-in`
    const teacher = internalClient(await signedIn(app, tess))
    const without = [sam, sol].map(({ id, username }) => ({ id, name: username, symbol: null }))
    expect((await teacher.get(path)).body).toEqual({
      isAllowed: false,
      simplePages: false,
      code: null,
      students: without,
    })
    const { code, cards } = await givePins(app, id, schoolClass, tess)
    const withPins = cards.map(({ pin: _, ...card }) => card)
    expect((await teacher.get(path)).body).toEqual({
      isAllowed: true,
      simplePages: false,
      code,
      students: withPins,
    })
    await limit(app, id, { requires_provider: 1 })
    expect((await teacher.get(path)).body.isAllowed).toBe(false)
  })
})
