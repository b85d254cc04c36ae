import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeEachDatabase('updateClass', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  const fields = { name: 'Winds', section: 'B', level: 'middle', skillsFocused: ['notation'], size: 24 }

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  async function newClass() {
    const { body } = await people.tess.post('/classes', fields)
    await people.tess.put(`/classes/${body.id}/users/${people.sam.id}`)
    return body
  }

  it('changes only the given fields and the modification date', async () => {
    const before = await newClass()
    clock.forward(minute)
    const { status, body } = await people.tess.put(`/classes/${before.id}`, {
      section: 'C',
      skillsFocused: [],
    })
    expect(status).toBe(200)
    const { studentsGroup } = body
    expect(body).toEqual({
      ...before,
      section: 'C',
      skillsFocused: [],
      modificationDate: new Date(clock.now()).toISOString(),
      studentsGroup,
    })
    expect((await people.tess.get(`/classes/${before.id}`)).body).toEqual(body)
  })

  it('changes the description, which is an extension', async () => {
    const { id } = await newClass()
    const description = 'All about the oboe'
    expect((await people.tess.put(`/classes/${id}`, { description })).body.description).toBe(description)
    expect((await people.sam.get(`/classes/${id}`)).body.description).toBe(description)
    const created = await people.tess.post('/classes', { name: 'Reeds', description })
    expect(created.body.description).toBe(description)
  })

  it('sets the theme, which is an extension, and clears it with null', async () => {
    const { id, theme } = await newClass()
    expect(theme).toBeUndefined()
    expect((await people.tess.put(`/classes/${id}`, { theme: 'ocean' })).body.theme).toBe('ocean')
    expect((await people.tess.put(`/classes/${id}`, { section: 'C' })).body.theme).toBe('ocean')
    expect((await people.sam.get(`/classes/${id}`)).body.theme).toBe('ocean')
    expect((await people.tess.put(`/classes/${id}`, { theme: null })).body.theme).toBeUndefined()
    expect((await people.tess.post('/classes', { name: 'Reeds', theme: 'meadow' })).body.theme).toBe('meadow')
    for (const invalid of ['', 'x'.repeat(101), 7]) {
      const { status, body } = await people.tess.put(`/classes/${id}`, { theme: invalid })
      expect([status, body.param]).toEqual([400, 'theme'])
    }
  })

  it('clears the size with null', async () => {
    const { id } = await newClass()
    const { body } = await people.tess.put(`/classes/${id}`, { size: null })
    expect([body.size, body.section]).toEqual([null, 'B'])
  })

  it('renames its two groups', async () => {
    const { id } = await newClass()
    const { body } = await people.ada.put(`/classes/${id}`, { name: 'Brass' })
    expect([body.name, body.teachersGroup.name, body.studentsGroup.name]).toEqual(['Brass', 'Brass', 'Brass'])
  })

  it('refuses a name without a letter', async () => {
    const { id } = await newClass()
    const { status, body } = await people.tess.put(`/classes/${id}`, { name: ' ' })
    expect([status, body.param]).toEqual([400, 'name'])
  })

  it('requires a teacher of the class or an administrator', async () => {
    const { id } = await newClass()
    const codes = { sam: 'CLASS_ACCESS_DENIED', tara: 'CLASS_NOT_FOUND', abel: 'CLASS_NOT_FOUND' } as const
    for (const [name, code] of Object.entries(codes)) {
      const reply = await people[name as keyof typeof codes].put(`/classes/${id}`, { name: 'Mine' })
      expect(reply.body.code).toBe(code)
    }
    expect((await people.tess.get(`/classes/${id}`)).body.name).toBe('Winds')
  })

  it('refuses an archived class', async () => {
    const { id } = await newClass()
    await people.tess.post(`/classes/${id}/archive`)
    const { status, body } = await people.tess.put(`/classes/${id}`, { name: 'Brass' })
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
  })
})
