import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { planOf, rowsRead } from '../../../../test/support/query-plans.ts'
import { insertGroup, insertGroupMember } from '../groups/store.ts'
import { accountOf } from '../users/accounts.ts'
import { insertUser } from '../users/store.ts'
import { countMembersOf, listMembersOf, type MemberFilter, type MemberSort } from './members.store.ts'

const sorts = ['creationDate', 'username', 'name', 'lastActivityDate'] as const satisfies MemberSort[]
const members = 2000

describeApp('lists of thousands of members', (app, databases) => {
  let organization: string
  let group: string
  const filters: Record<string, () => MemberFilter> = {
    'all of them': () => ({}),
    'those of a role': () => ({ roles: ['user'] }),
    'those of several roles': () => ({ roles: ['teacher', 'admin', 'user'] }),
    'those of a group': () => ({ groups: [group] }),
    'those of a group and a role': () => ({ groups: [group], roles: ['user'] }),
    'test students': () => ({ testStudent: true }),
    'all but test students': () => ({ testStudent: false, roles: ['user'] }),
  }

  beforeAll(async () => {
    organization = await app.organization()
    group = app.ctx.newId()
    const columns = {
      name: 'Choir',
      name_key: 'choir',
      class_id: null,
      parent_id: null,
      tags: '[]',
      created_at: 0,
    }
    await app.ctx.transaction(async (tx) => {
      await insertGroup(tx, { id: group, organization_id: organization, type: 'generic', ...columns })
      for (let index = 0; index < members; index++) {
        const role = index % 20 === 0 ? 'teacher' : 'user'
        const names = {
          username: `person${index}`,
          firstname: `First ${index % 7}`,
          lastname: `Last ${index % 90}`,
        }
        const user = accountOf({ ...names, organization, role }, undefined, app.ctx.newId(), 1000 + index)
        await insertUser(tx, {
          ...user,
          is_test_student: index % 100 === 1 ? 1 : 0,
          last_activity_at: index % 50,
        })
        if (index % 70 === 3)
          await insertGroupMember(tx, { group_id: group, user_id: user.id, created_at: 0, placement: null })
      }
    })
  })

  const page = (filter: MemberFilter, sort: MemberSort, next?: string) =>
    listMembersOf(app.ctx.db.read, organization, filter, { sort, direction: 'asc', limit: 5, next })

  it.each(Object.entries(filters))(
    'read no more than a page needs, also deep in the list: %s',
    async (name, filterOf) => {
      const filter = filterOf()
      for (const sort of sorts) {
        const rows = []
        let next: string | undefined
        let middle: string | undefined
        const total = await countMembersOf(app.ctx.db.read, organization, filter)
        // Pages in the middle of the list, and all pages of a short list.
        for (let n = 0; n < 20; n++) {
          const result = await page(filter, sort, next)
          rows.push(...result.rows)
          next = result.cursors.next
          if (n === 1) middle = next
          if (!next) break
        }
        expect([name, sort, new Set(rows.map(({ id }) => id)).size]).toEqual([
          name,
          sort,
          Math.min(total, 100),
        ])
        const plans = []
        for (const cursor of [undefined, middle]) {
          const request = { sort, direction: 'asc', limit: 5, next: cursor } as const
          plans.push(
            await planOf(app.ctx.db.read, (queries) => listMembersOf(queries, organization, filter, request)),
          )
        }
        for (const plan of plans) {
          // All 29 members of a group are read. Of each role, as many as the page has, and then their rows.
          if (databases.dialect === 'postgres')
            expect([name, sort, rowsRead(plan) < 120]).toEqual([name, sort, true])
          else expectIndexUse(plan)
        }
        // The index finds the position of the cursor.
        if (databases.dialect === 'sqlite' && !filter.groups)
          expect(plans[1]?.join()).toMatch(/,id\)>\(\?,\?\)/)
      }
    },
  )

  it.each(Object.entries(filters))('count from their indexes: %s', async (name, filterOf) => {
    const filter = filterOf()
    const plan = await planOf(app.ctx.db.read, (queries) => countMembersOf(queries, organization, filter))
    if (databases.dialect === 'sqlite') return expectIndexUse(plan)
    expect(plan.join('\n')).not.toContain('Seq Scan on users')
    if (filter.groups) expect([name, rowsRead(plan) < 120]).toEqual([name, true])
  })

  it('finds words only among the members of the organization', async () => {
    const others = await app.organization()
    await app.person('person1x', { organization: others })
    const result = await listMembersOf(
      app.ctx.db.read,
      organization,
      { search: 'person1999' },
      { ...first, sort: 'name' },
    )
    expect(result.rows.map(({ username }) => username)).toEqual(['person1999'])
    const search = (queries: typeof app.ctx.db.read) =>
      listMembersOf(queries, others, { search: 'person1' }, { ...first, sort: 'name' })
    const plan = await planOf(app.ctx.db.read, search)
    if (databases.dialect === 'sqlite') expectIndexUse(plan)
    else expect(rowsRead(plan)).toBeLessThan(10)
  })

  const first = { direction: 'asc', limit: 25 } as const
})

/** Every step finds users by an index that starts with the organization, or by id. */
function expectIndexUse(plan: readonly string[]): void {
  const steps = plan.filter((step) => /\b(SCAN|SEARCH) users\b/.test(step))
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps)
    expect(step).toMatch(/^SEARCH users USING (COVERING )?INDEX \w+ \((organization_id=\?|id=\?)/)
}
