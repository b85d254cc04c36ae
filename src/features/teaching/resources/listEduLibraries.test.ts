import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('listEduLibraries', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('lists the three libraries with the ids that lists accept', async () => {
    const { status, body } = await people.tess.get('/eduResources/libraries')
    expect(status).toBe(200)
    expect(body).toEqual([
      { id: 'root', name: 'My resources', type: 'myResources', visibility: 'private' },
      { id: 'organization', name: 'School', type: 'organizationResources', visibility: 'organization' },
      { id: 'flatEduContent', name: 'Partita', type: 'flatEduContent', visibility: 'public' },
    ])
    for (const { id } of body as unknown as { id: string }[]) {
      expect((await people.tess.get(`/eduResources?parent=${id}`)).status).toBe(200)
    }
  })

  it('refuses students and individual accounts', async () => {
    for (const person of [people.sam, people.otto]) {
      expect((await person.get('/eduResources/libraries')).status).toBe(403)
    }
  })
})
