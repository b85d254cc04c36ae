import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

// listOrganizationUsers.test.ts tests that each filter counts what it lists.
describeApp('countOrgaUsers', (app) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  const count = async (query = '') => (await people.ada.get(`/organizations/users/count${query}`)).body

  it('returns a number, of the caller’s own organization', async () => {
    expect(await count()).toBe(6)
    expect((await people.abel.get('/organizations/users/count')).body).toBe(1)
  })

  it('counts only members that match', async () => {
    expect(await count('?role=teacher&q=t')).toBe(3)
    expect(await count('?noActiveLicense=true')).toBe(0)
  })

  it('refuses an unknown role', async () => {
    expect((await people.ada.get('/organizations/users/count?role=pupil')).status).toBe(400)
  })
})
