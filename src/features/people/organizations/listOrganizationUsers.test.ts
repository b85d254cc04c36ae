import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass } from '../../../../test/support/classes.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { updateUser } from '../users/store.ts'
import { updateOrganization } from './store.ts'

const path = '/organizations/users'

describeApp('listOrganizationUsers', (app) => {
  let people: School
  let group: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const properties = { organization: people.id, email: 'nora_b@example.com' }
    const nora = await app.person('nora', { ...properties, firstname: 'Nóra', lastname: 'Abel' })
    group = (await newClass(app, people.id, { teachers: [people.tess], students: [people.sam, nora] }))
      .studentsGroup
    const tester = await app.person('tester', { organization: people.id })
    await app.ctx.transaction((tx) => updateUser(tx, tester.id, { is_test_student: 1 }))
  })

  const names = async (query: string): Promise<string[]> => {
    const { status, body } = await people.ada.get(`${path}?${query}`)
    expect(status).toBe(200)
    const { body: count } = await people.ada.get(`${path}/count?${query}`)
    expect(count).toBe(body.length)
    return body.map(({ username }: { username: string }) => username)
  }
  const sorted = async (query: string) => (await names(query)).sort()

  it('shows administrators the details of each member, and no member of another organization', async () => {
    const { body } = await people.ada.get(`${path}?q=nora`)
    expect(body).toEqual([
      {
        id: expect.any(String),
        type: 'user',
        product: 'flatEdu',
        username: 'nora',
        printableName: 'Nóra Abel',
        firstname: 'Nóra',
        lastname: 'Abel',
        name: 'Nóra Abel',
        picture: null,
        organization: people.id,
        organizationRole: 'user',
        htmlUrl: expect.any(String),
        email: 'nora_b@example.com',
        license: { id: people.id, mode: 'site', source: 'order', active: true },
        groups: [group],
        isEduTestingStudent: false,
      },
    ])
    expect(await sorted('')).toEqual(['ada', 'nora', 'sam', 'sol', 'tara', 'tess', 'tester', 'theo'])
  })

  it('lists members with one of several roles', async () => {
    expect(await sorted('role=teacher')).toEqual(['tara', 'tess', 'theo'])
    expect(await sorted('role=teacher&role=admin')).toEqual(['ada', 'tara', 'tess', 'theo'])
    expect(await names('role=user&role=teacher&role=admin&role=accountAdmin')).toHaveLength(8)
  })

  it('finds words in names, username and address, with any characters', async () => {
    expect(await names('q=abel%20NORA')).toEqual(['nora'])
    expect(await names('q=nora_b%40')).toEqual(['nora'])
    for (const wildcard of ['n_ra', 'n%25a', '%5C']) expect(await names(`q=${wildcard}`)).toEqual([])
  })

  it('lists members of one of several groups', async () => {
    expect(await sorted(`group=${group}`)).toEqual(['nora', 'sam'])
    expect(await sorted(`group=${group}&group=${group}&role=teacher`)).toEqual([])
  })

  it('distinguishes test students, who have no license, from other members', async () => {
    for (const query of ['testAccounts=only', 'noActiveLicense=true']) {
      expect(await names(query)).toEqual(['tester'])
    }
    expect(await names('testAccounts=exclude')).not.toContain('tester')
    expect(await names('testAccounts=exclude&noActiveLicense=true')).toEqual([])
    expect(await names('noActiveLicense=false')).toHaveLength(8)
    expect(await names('licenseExpirationDate=2031-01-01')).toEqual([])
    const { body } = await people.ada.get(`${path}?testAccounts=only`)
    expect([body[0].isEduTestingStudent, body[0].license]).toEqual([true, undefined])
  })

  it('filters by the end of the licence as `license.active` says', async () => {
    const setEnd = (end: string | null) =>
      app.ctx.transaction((tx) =>
        updateOrganization(tx, people.id, { license_expires_at: end === null ? null : Date.parse(end) }),
      )
    const licensed = ['ada', 'nora', 'sam', 'sol', 'tara', 'tess', 'theo']
    const activeIn = async (query: string) => {
      const { body } = await people.ada.get(`${path}?${query}`)
      return body.map(({ license }: { license?: { active: boolean } }) => license?.active ?? false)
    }
    expect(await sorted('licenseExpirationDate=active')).toEqual(licensed)
    expect(await sorted('licenseExpirationDate=notActive')).toEqual(['tester'])
    await setEnd('2999-07-31T23:59:59.999Z')
    expect(await sorted('licenseExpirationDate=2999-07-31')).toEqual(licensed)
    expect(await sorted('licenseExpirationDate=2999-07-30')).toEqual([])
    expect(await sorted('licenseExpirationDate=2999-07-31&testAccounts=only')).toEqual([])
    const { body } = await people.ada.get(`${path}?q=nora`)
    expect(body[0].license).toMatchObject({ active: true, expirationDate: '2999-07-31T23:59:59.999Z' })
    await setEnd('2001-07-31T23:59:59.999Z')
    expect(await sorted('licenseExpirationDate=active')).toEqual([])
    expect(await sorted('licenseExpirationDate=notActive')).toHaveLength(8)
    expect(await sorted('noActiveLicense=true')).toHaveLength(8)
    expect(new Set(await activeIn('licenseExpirationDate=notActive'))).toEqual(new Set([false]))
    const refused = await people.ada.get(`${path}?licenseExpirationDate=soon`)
    expect([refused.status, refused.body.param]).toEqual([400, 'licenseExpirationDate'])
    await setEnd(null)
  })

  it('leaves out removed members', async () => {
    const removed = await app.person('gone', { organization: people.id })
    expect((await people.ada.delete(`${path}/${removed.id}`)).status).toBe(204)
    expect(await names('q=gone')).toEqual([])
  })

  it('returns only what identifies the members for onlyIds', async () => {
    const { body } = await people.ada.get(`${path}?q=nora&onlyIds=true`)
    expect(body).toEqual([
      { id: expect.any(String), type: 'user', product: 'flatEdu', username: 'nora', picture: null },
    ])
  })

  it('sorts by the requested field, and refuses other fields', async () => {
    expect(await names('sort=username')).toEqual([
      'ada',
      'nora',
      'sam',
      'sol',
      'tara',
      'tess',
      'tester',
      'theo',
    ])
    expect((await names('sort=username&direction=desc'))[0]).toBe('theo')
    expect((await names('sort=name')).slice(0, 2)).toEqual(['nora', 'ada'])
    expect((await names(''))[0]).toBe('tester')
    for (const sort of ['age', 'toString']) {
      const { status, body } = await people.ada.get(`${path}?sort=${sort}`)
      expect([status, body.param]).toEqual([400, 'sort'])
    }
  })

  it('records the last activity of a member, and sorts by it', async () => {
    await people.theo.get('/me')
    await app.ctx.writeBehind.flush()
    const { body } = await people.ada.get(`${path}?q=theo`)
    expect(Date.parse(body[0].lastActivityDate)).toBeLessThanOrEqual(app.ctx.clock.now())
    expect((await names('sort=lastActivityDate')).slice(0, 2).sort()).toEqual(['ada', 'theo'])
  })

  it.each(['creationDate', 'username', 'name', 'lastActivityDate'])(
    'leads through all pages by %s',
    async (sort) => {
      const all = await names(`sort=${sort}&role=teacher&role=user`)
      const walked: string[] = []
      let next: string | undefined = `${path}?sort=${sort}&role=teacher&role=user&limit=2`
      let previous: string | undefined
      while (next) {
        const { body, headers } = await people.ada.get(next)
        walked.push(...body.map(({ username }: { username: string }) => username))
        ;({ next, previous } = linksOf(headers, app.url))
      }
      expect(walked).toEqual(all)
      const { body } = await people.ada.get(previous ?? '')
      expect(body.map(({ username }: { username: string }) => username)).toEqual(all.slice(-3, -1))
    },
  )

  it('returns at most a thousand members per page', async () => {
    expect((await people.ada.get(`${path}?limit=1000`)).status).toBe(200)
    for (const limit of [0, 1001])
      expect((await people.ada.get(`${path}?limit=${limit}`)).body.param).toBe('limit')
  })

  it.each(['tess', 'sam', 'otto'] as const)(
    'is refused for %s, who is not an administrator',
    async (name) => {
      for (const listed of [path, `${path}/count`]) {
        const { status, body } = await people[name].get(listed)
        expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
      }
    },
  )
})
