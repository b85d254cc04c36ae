import { expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { savedCommentsOf } from '../../../../test/support/saved-comments.ts'
import { makeSchool } from '../../../../test/support/school.ts'

describeApp('listSavedComments', (app) => {
  it('shows the comments of the user alone, newest first, and nothing else of them', async () => {
    const { ada, tess } = await makeSchool(app)
    const [bank, other] = [await savedCommentsOf(app, tess), await savedCommentsOf(app, ada)]
    for (const comment of ['First', 'Second']) await bank.add(comment)
    expect((await bank.list()).body).toEqual([
      { id: expect.any(String), comment: 'Second' },
      { id: expect.any(String), comment: 'First' },
    ])
    expect(await other.texts()).toEqual([])
  })

  it('has nothing left of a teacher who was a student for a while', async () => {
    const { ada, theo, tara } = await makeSchool(app, '2')
    const [bank, other] = [await savedCommentsOf(app, theo), await savedCommentsOf(app, tara)]
    for (const one of [bank, other]) await one.add('Well done.')
    const become = (role: string) => ada.put(`/organizations/users/${theo.id}`, { organizationRole: role })
    expect((await become('admin')).status).toBe(200)
    expect(await (await savedCommentsOf(app, theo)).texts()).toEqual(['Well done.'])
    expect((await become('user')).status).toBe(200)
    const student = await savedCommentsOf(app, theo)
    expect((await student.list()).status).toBe(403)
    expect((await become('teacher')).status).toBe(200)
    expect(await (await savedCommentsOf(app, theo)).texts()).toEqual([])
    expect(await other.texts()).toEqual(['Well done.'])
  })
})
