import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { actsOn } from '../../../../test/support/audit.ts'
import { newClass, setPlacement, type TestClass } from '../../../../test/support/classes.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('createClassPins', (databases) => {
  const app = useApp(databases)
  let school: School
  let schoolClass: TestClass
  let teacher: Client
  const path = () => `/classes/${schoolClass.id}/sign-in/pins`

  beforeAll(async () => {
    school = await makeSchool(app)
    const { id, tess, sam, sol } = school
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    teacher = internalClient(await signedIn(app, tess))
  })

  it('is refused until the organization allows it, and to students and teachers of other classes', async () => {
    expect((await teacher.post(path(), {})).body.code).toBe('PICTURE_SIGN_IN_OFF')
    await limit(app, school.id, { allows_picture_sign_in: 1 })
    const [student, other] = await Promise.all(
      [school.sam, school.tara].map(async (person) => internalClient(await signedIn(app, person))),
    )
    expect((await student?.post(path(), {}))?.body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    expect((await other?.post(path(), {}))?.body.code).toBe('CLASS_NOT_FOUND')
    const unknown = await teacher.post(path(), { students: [school.tara.id] })
    expect([unknown.status, unknown.body.param]).toEqual([400, 'students'])
  })

  it('gives PINs with different pictures to those who have none, and another PIN with the same picture', async () => {
    const { code, cards, refused } = (await teacher.post(path(), {})).body
    expect(code).toMatch(/^[a-z0-9]{10}$/)
    expect(cards.map(({ name }: { name: string }) => name)).toEqual(['sam', 'sol'])
    expect(new Set(cards.map(({ symbol }: { symbol: string }) => symbol)).size).toBe(2)
    for (const { pin } of cards) expect(pin).toMatch(/^\d{4}$/)
    expect(refused).toEqual([])
    const again = (await teacher.post(path(), {})).body
    expect(again).toEqual({ code, cards: [], refused: [] })
    const replaced = (await teacher.post(path(), { students: [school.sam.id] })).body
    expect(replaced.code).toBe(code)
    expect(replaced.cards).toEqual([{ ...cards[0], pin: expect.stringMatching(/^\d{4}$/) }])
    const acts = (await actsOn(app, school.sam.id)).filter(({ action }) => action === 'user.pin-set')
    expect(acts.map(({ actor, details }) => [actor, details])).toEqual(
      Array(2).fill([school.tess.id, { class: schoolClass.id }]),
    )
  })

  it('names the students whose password the teacher may not set either, and serves administrators', async () => {
    const pia = await app.person('pia', { organization: school.id, firstname: 'Pia' })
    await school.tess.put(`/classes/${schoolClass.id}/users/${pia.id}`)
    await setPlacement(app, schoolClass.studentsGroup, pia, 'teacher')
    expect((await teacher.post(path(), {})).body).toMatchObject({ cards: [], refused: ['Pia'] })
    const administrator = internalClient(await signedIn(app, school.ada))
    expect((await administrator.post(path(), {})).body).toMatchObject({
      cards: [{ id: pia.id, name: 'Pia' }],
      refused: [],
    })
  })
})
