import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, setClassState } from '../../../../test/support/classes.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { queriesOf } from '../../../../test/support/query-counts.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import type { OrganizationClass } from '../../../contract/organization-overview.ts'
import { composeOrganizationClasses } from './organization-classes.ts'
import { listClassesOfOrganization } from './organization-classes.store.ts'

describeApp('listOrganizationClasses', (app) => {
  let school: School
  let ada: Client

  beforeAll(async () => {
    school = await makeSchool(app)
    ada = internalClient(await signedIn(app, school.ada))
    const { tess, theo, tara, sam, sol } = school
    const create = async (by: typeof tess, name: string, section?: string) =>
      (await by.post('/classes', { name, section })).body
    const winds = await create(tess, 'Winds 4b', 'Room 12')
    for (const person of [theo, sam, sol]) await person.post(`/classes/enroll/${winds.enrollmentCode}`)
    await tess.post(`/classes/${winds.id}/testStudent`)
    const archived = await create(theo, 'Élite choir')
    await theo.post(`/classes/${archived.id}/archive`)
    await setClassState(app, await create(tara, 'Strings 4b'), 'inactive')
    await create(tess, 'brass')
    await school.abel.post('/classes', { name: 'Another school’s class' })
  })

  const list = async (query = ''): Promise<OrganizationClass[]> => {
    const { status, body } = await ada.get(`/organization/classes${query}`)
    expect(status).toBe(200)
    return body
  }
  const names = async (query: string) => (await list(query)).map(({ name }) => name)

  it('lists the classes of the organization by name, which the administrator is not in', async () => {
    const classes = await list()
    expect(classes.map(({ name, state }) => [name, state])).toEqual([
      ['brass', 'active'],
      ['Élite choir', 'archived'],
      ['Strings 4b', 'inactive'],
      ['Winds 4b', 'active'],
    ])
    expect(classes.at(-1)).toEqual({
      id: expect.any(String),
      name: 'Winds 4b',
      section: 'Room 12',
      state: 'active',
      teachers: [
        { id: school.tess.id, name: 'Tess Teacher' },
        { id: school.theo.id, name: 'theo' },
      ],
      students: 2,
    })
  })

  it('filters by words of the name and by state', async () => {
    expect(await names('?q=4B')).toEqual(['Strings 4b', 'Winds 4b'])
    expect(await names('?q=4b%20win')).toEqual(['Winds 4b'])
    expect(await names('?q=elite')).toEqual(['Élite choir'])
    expect(await names('?q=4b&state=inactive')).toEqual(['Strings 4b'])
    expect(await names('?state=archived')).toEqual(['Élite choir'])
    expect(await names('?q=%25')).toEqual([])
    expect((await ada.get('/organization/classes?state=deleted')).body.param).toBe('state')
  })

  it('has pages', async () => {
    const first = await ada.get('/organization/classes?limit=3')
    expect(first.body).toHaveLength(3)
    const [, next] = /[?&]next=([^&>]+)[^>]*>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const second = await ada.get(`/organization/classes?limit=3&next=${next}`)
    expect(second.body.map(({ name }: OrganizationClass) => name)).toEqual(['Winds 4b'])
    expect(second.headers.get('link')).not.toContain('rel="next"')
    const refused = await ada.get('/organization/classes?next=nonsense')
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_CURSOR'])
  })

  it('leaves out removed users', async () => {
    const vic = await app.person('vic', { organization: school.id, role: 'teacher' })
    const { id } = await newClass(app, school.id, { teachers: [vic, school.tara], students: [school.sam] })
    for (const user of [vic, school.sam])
      await app.ctx.transaction((tx) =>
        tx.updateTable('users').set({ deletion_at: 0 }).where('id', '=', user.id).execute(),
      )
    const found = (await list()).find((one) => one.id === id)
    expect(found).toMatchObject({ teachers: [{ name: 'tara' }], students: 0 })
  })

  it('needs three queries, for any number of classes', async () => {
    for (const limit of [1, 4]) {
      const count = await queriesOf(app.ctx.db.read, async (queries) => {
        const { rows } = await listClassesOfOrganization(queries, school.id, {}, { limit })
        expect(await composeOrganizationClasses(queries, rows)).toHaveLength(limit)
      })
      expect(count).toBe(3)
    }
  })
})
