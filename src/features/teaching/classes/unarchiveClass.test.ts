import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { describeClassTransition } from '../../../../test/support/class-states.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool } from '../../../../test/support/school.ts'

describeClassTransition('unarchiveClass', 'unarchive', (person, id) =>
  person.delete(`/classes/${id}/archive`),
)

describeApp('unarchiveClass', (app) => {
  it('enforces the maximum number of classes of the organization', async () => {
    const { id, tess } = await makeSchool(app)
    const archived = await newClass(app, id, { teachers: [tess], state: 'archived' })
    const inactive = await newClass(app, id, { teachers: [tess], state: 'inactive' })
    await limit(app, id, { max_classes: 1 })
    const { status, body } = await tess.delete(`/classes/${archived.id}/archive`)
    expect([status, body.code]).toEqual([402, 'CLASSES_EXHAUSTED'])
    // An inactive class counts already.
    expect((await tess.post(`/classes/${inactive.id}/activate`)).status).toBe(200)
    await tess.post(`/classes/${inactive.id}/archive`)
    expect((await tess.delete(`/classes/${archived.id}/archive`)).status).toBe(200)
  })
})
