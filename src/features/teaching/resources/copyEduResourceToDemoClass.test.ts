import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { newResource } from '../../../../test/support/resources.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

describeApp('copyEduResourceToDemoClass', (app, databases) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('creates the class with a test student once, and a new draft for each request', async () => {
    const { tess } = people
    const id = await newResource(tess)
    const first = await tess.post(`/eduResources/${id}/copyToDemoClass`)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ title: 'Waltz', state: 'draft', creator: tess.id })
    const schoolClass = (await tess.get(`/classes/${first.body.classroom}`)).body
    expect(schoolClass).toMatchObject({
      name: 'Demo class',
      studentsGroup: { usersCount: 1 },
      teachersGroup: { usersCount: 1 },
    })
    expect((await tess.post(`/classes/${schoolClass.id}/testStudent`)).body.name).toBe('Test Student')
    expect((await tess.get(`/classes/${schoolClass.id}`)).body.studentsGroup.usersCount).toBe(1)
    const second = await tess.post(`/eduResources/${id}/copyToDemoClass`)
    expect(second.body.classroom).toBe(schoolClass.id)
    expect(second.body.id).not.toBe(first.body.id)
  })

  it('creates another class when the first one is archived', async () => {
    const { theo } = people
    const id = await newResource(theo)
    const { classroom } = (await theo.post(`/eduResources/${id}/copyToDemoClass`)).body
    await theo.post(`/classes/${classroom}/archive`)
    expect((await theo.post(`/eduResources/${id}/copyToDemoClass`)).body.classroom).not.toBe(classroom)
  })

  it('counts toward the maximum number of classes of the organization', async () => {
    const organization = await app.organization()
    const vera = await app.person('vera', { organization, role: 'teacher' })
    await limit(app, organization, { max_classes: 0 })
    const { status, body } = await vera.post(`/eduResources/${await newResource(vera)}/copyToDemoClass`)
    expect([status, body.code]).toEqual([402, 'CLASSES_EXHAUSTED'])
  })

  it('creates one class for two concurrent requests on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const organization = await app.organization()
      const vera = await app.person('vivian', { organization, role: 'teacher' })
      const id = await newResource(vera)
      const replies = await Promise.all(
        [vera, there(vera), vera, there(vera)].map((one) => one.post(`/eduResources/${id}/copyToDemoClass`)),
      )
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(replies.map(({ body }) => body.classroom)).size).toBe(1)
    })
  })
})
