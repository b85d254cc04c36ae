import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { linksOf } from '../../../../test/support/paging.ts'
import { expectSameCost, planOf } from '../../../../test/support/query-plans.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { listInvitations } from './invitations.store.ts'

const path = '/organizations/invitations'

describeApp('listOrganizationInvitations', (app, databases) => {
  let people: School
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
    for (const organizationRole of ['teacher', 'admin', 'accountAdmin', 'teacher', 'teacher']) {
      await anna.post(path, { organizationRole })
    }
    await people.abel.post(path, {})
  })

  const rolesOf = (list: { organizationRole: string }[]) =>
    list.map(({ organizationRole }) => organizationRole)

  it('lists the invitations of the caller’s own organization, the newest first', async () => {
    const { status, headers, body } = await anna.get(path)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(rolesOf(body)).toEqual(['teacher', 'teacher', 'accountAdmin', 'admin', 'teacher'])
    for (const { organization } of body) expect(organization).toBe(people.id)
    expect(headers.get('link')).toBeNull()
  })

  it('lists the invitations for one role', async () => {
    expect(rolesOf((await anna.get(`${path}?role=admin`)).body)).toEqual(['admin'])
    expect((await anna.get(`${path}?role=user`)).body).toEqual([])
    expect(await anna.get(`${path}?role=accountAdmin`)).toMatchObject({
      status: 400,
      body: { param: 'role' },
    })
  })

  it('hides the codes for roles above the caller’s', async () => {
    for (const { organizationRole, customCode, htmlUrl } of (await people.ada.get(path)).body) {
      const isAbove = organizationRole === 'accountAdmin'
      expect([customCode === null, htmlUrl === undefined]).toEqual([isAbove, isAbove])
    }
    for (const { customCode } of (await anna.get(path)).body) expect(customCode).toEqual(expect.any(String))
  })

  it('lists the users who accepted each invitation', async () => {
    const [{ id }] = (await anna.get(`${path}?limit=1`)).body
    const uses = [people.theo, people.tess].map(({ id: user }, at) => ({
      invitation_id: id,
      user_id: user,
      created_at: at,
    }))
    await app.ctx.transaction((tx) => tx.insertInto('invitation_uses').values(uses).execute())
    const [first, second] = (await anna.get(path)).body
    expect(first.usedBy).toEqual([people.theo.id, people.tess.id])
    expect(second.usedBy).toEqual([])
  })

  it('pages forward and back, with and without a role', async () => {
    for (const query of ['limit=2', 'limit=2&role=teacher']) {
      const all = (await anna.get(`${path}?${query.replace('2', '1000')}`)).body
      const first = await anna.get(`${path}?${query}`)
      const second = await anna.get(linksOf(first.headers, app.url).next ?? '')
      expect([...first.body, ...second.body]).toEqual(all.slice(0, 4))
      const firstAgain = await anna.get(linksOf(second.headers, app.url).previous ?? '')
      expect(firstAgain.body).toEqual(first.body)
    }
  })

  it('accepts limits from 1 to 1000, and only its own cursors', async () => {
    for (const limit of [0, 1001]) {
      expect(await anna.get(`${path}?limit=${limit}`)).toMatchObject({
        status: 400,
        body: { param: 'limit' },
      })
    }
    expect((await anna.get(`${path}?next=nonsense`)).body.code).toBe('INVALID_CURSOR')
  })

  it('is available to administrators', async () => {
    for (const person of [people.tess, people.sam, people.otto]) {
      expect((await person.get(path)).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    }
  })

  it.each([undefined, 'admin'] as const)('costs the same deep in the list (role %s)', async (role) => {
    const organization = await app.organization('Large school')
    const rows = Array.from({ length: 3000 }, (_, at) => ({
      id: app.ctx.newId(),
      organization_id: organization,
      role: at % 2 === 0 ? ('teacher' as const) : ('admin' as const),
      code: `${role}-${at}`,
      email: null,
      email_key: null,
      invited_by: anna.id,
      allows_multiple_use: 1 as const,
      used_at: null,
      uses: 0,
      created_at: at,
      expires_at: at,
    }))
    await app.ctx.transaction(async (tx) => {
      for (let at = 0; at < rows.length; at += 500) {
        await tx
          .insertInto('invitations')
          .values(rows.slice(at, at + 500))
          .execute()
      }
      await sql`analyze invitations`.execute(tx)
    })
    const list = (next?: string) => listInvitations(app.ctx.db.read, organization, { limit: 50, role, next })
    let next: string | undefined
    for (let page = 0; page < 20; page++) next = (await list(next)).cursors.next
    const plan = (cursor?: string) =>
      planOf(app.ctx.db.read, (queries) =>
        listInvitations(queries, organization, { limit: 50, role, next: cursor }),
      )
    expectSameCost(databases.dialect, await plan(), await plan(next))
  })
})
