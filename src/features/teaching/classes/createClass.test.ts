import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { unusedEnrollmentCode } from './new-class.ts'

describeApp('createClass', (app, databases) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  it('creates a class, a group of teachers with the creator, and a group of students', async () => {
    const { id: organization, tess } = people
    const fields = {
      name: 'Winds',
      section: 'B',
      level: 'middle',
      skillsFocused: ['notation', 'composition'],
      size: 24,
    }
    const { status, body } = await tess.post('/classes', fields)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...fields, state: 'active', organization, owner: tess.id })
    expect(body.enrollmentCode).toMatch(/^[a-z0-9]{8}$/)
    const group = { name: 'Winds', classroom: body.id, organization, readOnly: true, tags: [] }
    expect(body.teachersGroup).toMatchObject({ ...group, type: 'classTeachers', usersCount: 1 })
    expect(body.studentsGroup).toMatchObject({ ...group, type: 'classStudents', usersCount: 0 })
    expect((await tess.get(`/classes/${body.id}`)).body).toEqual(body)
  })

  it('requires only a name', async () => {
    const { body } = await people.tess.post('/classes', { name: 'Strings', size: null })
    expect(body.name).toBe('Strings')
    for (const field of ['section', 'level', 'skillsFocused']) expect(body).not.toHaveProperty(field)
    for (const name of ['', ' ', undefined, 'A'.repeat(256)]) {
      const { status, body } = await people.tess.post('/classes', { name })
      expect([status, body.param]).toEqual([400, 'name'])
    }
  })

  it('refuses students and individual accounts', async () => {
    for (const person of [people.theo, people.ada]) {
      expect((await person.post('/classes', { name: 'Choir' })).status).toBe(200)
    }
    for (const person of [people.sam, people.otto]) {
      const { status, body } = await person.post('/classes', { name: 'Choir' })
      expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
      // The role is checked before the body.
      expect((await person.post('/classes', { name: 1 })).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    }
  })

  it('enforces the maximum number of classes, without counting archived ones', async () => {
    const id = await app.organization('Small school')
    const vera = await app.person('vera', { organization: id, role: 'teacher' })
    await limit(app, id, { max_classes: 1 })
    const first = await vera.post('/classes', { name: 'First' })
    const second = await vera.post('/classes', { name: 'Second' })
    expect([first.status, second.status, second.body.code]).toEqual([200, 402, 'CLASSES_EXHAUSTED'])
    await vera.post(`/classes/${first.body.id}/archive`)
    expect((await vera.post('/classes', { name: 'Third' })).status).toBe(200)
    // The classes of another organization do not count.
    expect((await people.tess.post('/classes', { name: 'Fourth' })).status).toBe(200)
  })

  it('gives the last free class to one of two concurrent requests on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const id = await app.organization()
      const [vera, victor] = await Promise.all(
        ['vivian', 'victor'].map((name) => app.person(name, { organization: id, role: 'teacher' })),
      )
      await limit(app, id, { max_classes: 3 })
      const responses = Array.from({ length: 4 }, (_, n) =>
        Promise.all([
          vera?.post('/classes', { name: `A${n}` }),
          victor && there(victor).post('/classes', { name: `B${n}` }),
        ]),
      )
      const statuses = (await Promise.all(responses)).flat().map((reply) => reply?.status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(3)
      expect(statuses.filter((status) => status === 402)).toHaveLength(5)
    })
  })
})

it('retries if the enrollment code is taken', async () => {
  const codes = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']
  const takenCodes = new Set(codes.slice(0, 2))
  const codeIterator = codes[Symbol.iterator]()
  const code = await unusedEnrollmentCode(
    async (code) => takenCodes.has(code),
    () => codeIterator.next().value ?? '',
  )
  expect(code).toBe('cccccccc')
})
