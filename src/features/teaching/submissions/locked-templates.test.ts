import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { base64, musicXml } from '../../../../test/support/scores.ts'
import { newSubmission } from '../../../../test/support/submissions.ts'

describeApp('a template with lockScoreTemplate', (app) => {
  let teacher: Person
  let student: Person
  let schoolClass: TestClass

  beforeAll(async () => {
    const organization = await app.organization()
    teacher = await app.person('vera', { organization, role: 'teacher' })
    student = await app.person('pia', { organization })
    schoolClass = await newClass(app, organization, { teachers: [teacher], students: [student] })
  })

  const original = musicXml({ measures: ['C4 D4 E4 F4', 'G4 A4 G4 F4'] })
  /** The last note of the second measure is a rest in the template. */
  const withRest = original.replace(
    /<pitch><step>F<\/step><octave>4<\/octave><\/pitch>(?![\s\S]*<pitch>)/,
    '<rest/>',
  )

  /** Returns the copy of the template that the student works in. */
  async function copyFor(attachment: object): Promise<string> {
    const { id: score } = (await teacher.post('/scores', { data: withRest })).body
    const attachments = [{ type: 'flat', score, sharingMode: 'copy', ...attachment }]
    const assignment = await newAssignment(teacher, schoolClass, { type: 'scoreTemplate', attachments })
    return (await newSubmission(student, schoolClass, assignment)).attachments[0].score
  }
  const save = (score: string, data: string, dataEncoding?: string) =>
    student.post(`/scores/${score}/revisions`, { data, dataEncoding })

  it('takes new notes in place of its rests', async () => {
    expect(withRest).toContain('<rest/>')
    const copy = await copyFor({ lockScoreTemplate: true })
    expect((await save(copy, original)).status).toBe(200)
    // The student may also change and delete the notes that were added.
    expect((await save(copy, withRest)).status).toBe(200)
  })

  it('refuses revisions that change or delete its notes, names the measures, and saves nothing', async () => {
    const copy = await copyFor({ lockScoreTemplate: true })
    await save(copy, original)
    const last = (await student.get(`/scores/${copy}/revisions/last`)).body.id
    const changed = original.replace('<step>C</step>', '<step>B</step>')
    const { status, body } = await save(copy, changed)
    expect([status, body.code, body.param]).toEqual([409, 'TEMPLATE_LOCKED', 'data'])
    expect(body.message).toContain('in measure 1.')
    const empty = await save(copy, base64(musicXml({ measures: ['B4 B4 B4 B4', 'B4 B4 B4 B4'] })), 'base64')
    expect(empty.body.message).toContain('in measures 1, 2.')
    expect((await student.get(`/scores/${copy}/revisions/last`)).body.id).toBe(last)
  })

  it('refuses changed notes in the JSON form too, whatever their uuids', async () => {
    const copy = await copyFor({ lockScoreTemplate: true })
    const json = JSON.stringify((await student.get(`/scores/${copy}/revisions/last/json`)).body)
    const other = json.replaceAll(/"\$uuid":"[^"]*"/g, () => `"$uuid":"${crypto.randomUUID()}"`)
    expect((await save(copy, other)).status).toBe(200)
    expect((await save(copy, other.replace('"D"', '"B"'))).body.code).toBe('TEMPLATE_LOCKED')
  })

  it('is not locked without it, and the original never is', async () => {
    const copy = await copyFor({})
    expect((await save(copy, musicXml({ measures: ['B4 B4 B4 B4'] }))).status).toBe(200)
    const { id } = (await teacher.post('/scores', { data: original })).body
    const attachments = [{ type: 'flat', score: id, sharingMode: 'copy', lockScoreTemplate: true }]
    await newAssignment(teacher, schoolClass, { type: 'scoreTemplate', attachments })
    const changed = await teacher.post(`/scores/${id}/revisions`, { data: musicXml() })
    expect(changed.status).toBe(200)
  })
})
