import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { operations } from '../../../operations.ts'

/** Part of every text that Sam must not read. No response to Sam may contain it. */
const canary = 'canary'
/** Part of every text that Sam can read. It proves that the test reads the responses. */
const plain = 'plain-text'

describeApp('the responses about assignments to students', (app) => {
  let people: School
  let schoolClass: TestClass
  let assignments: { id: string }[]
  /** The values of path parameters. An unlisted parameter can have any of these values. */
  let ids: Record<'class' | 'assignment' | 'submission' | 'comment' | 'score' | 'group' | 'user', string[]>

  /** The reasons that hide an assignment from Sam. Each has a canary of its own. */
  const reasons = [
    'draft',
    'archived draft',
    'scheduled',
    'archived before its time',
    'of Sol',
    'of a group',
    'inactive',
  ]
  const canaryOf = (reason: string) => `${canary}-${reason.replaceAll(' ', '-')}`
  const newScore = async (title: string): Promise<string> =>
    (await people.tess.post('/scores', emptyPiano(title))).body.id

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, sam, sol } = people
    schoolClass = await newClass(app, people.id, { teachers: [tess], students: [sam, sol] })
    const ofSol = await newSubGroup(tess, schoolClass, `${canary} group`, sol)
    const inactive = await newClass(app, people.id, { teachers: [tess], students: [sam], state: 'inactive' })
    const scores: string[] = []

    /** Creates an assignment with a canary in every text. */
    async function hidden(
      reason: string,
      properties: object,
      inClass = schoolClass,
    ): Promise<{ id: string }> {
      const score = await newScore(`${canaryOf(reason)} score`)
      scores.push(score)
      return newAssignment(tess, inClass, {
        title: `${canaryOf(reason)} title`,
        description: `${canary} description`,
        teacherInstructions: `${canary} instructions`,
        toolset: `${canary}-toolset`,
        attachments: [{ url: `https://example.com/${canary}` }, { score }],
        ...properties,
      })
    }
    const scheduledLater = { scheduledDate: '2999-01-01T00:00:00Z' }
    const ofStudent = await hidden('of Sol', { assignedStudents: [sol.id] })
    const archived = [
      await hidden('archived draft', { state: 'draft' }),
      await hidden('archived before its time', scheduledLater),
    ]
    for (const { id } of archived) await tess.post(`/classes/${schoolClass.id}/assignments/${id}/archive`)
    const teacherScore = await newScore(`${canary} score`)
    assignments = [
      await newAssignment(tess, schoolClass, {
        title: plain,
        teacherInstructionsHtml: `<p>${canary}</p>`,
        attachments: [
          { url: `https://example.com/${plain}` },
          { url: `https://example.com/${canary}`, teacherOnly: true },
          { score: teacherScore, teacherOnly: true },
        ],
        assigneeMode: 'everyone',
        classGroupIds: [ofSol],
      }),
      await hidden('draft', { state: 'draft' }),
      await hidden('scheduled', scheduledLater),
      await hidden('of a group', { classGroupIds: [ofSol] }),
      await hidden('inactive', {}, inactive),
      ofStudent,
      ...archived,
    ]
    const work = await newSubmission(sol, schoolClass, ofStudent, {
      attachments: [{ url: `https://example.com/${canary}` }],
    })
    const comments = `${submissionsOf(schoolClass, ofStudent)}/${work.id}/comments`
    const { body: comment } = await tess.post(comments, { comment: `${canary} comment` })
    ids = {
      class: [schoolClass.id, inactive.id],
      assignment: assignments.map(({ id }) => id),
      submission: [work.id],
      comment: [comment.id],
      score: [...scores, teacherScore],
      group: [schoolClass.studentsGroup, inactive.studentsGroup, ofSol],
      user: [sam.id, sol.id, 'me'],
    }
  })

  /** Returns the path with every combination of ids that the teacher knows. */
  function addressesOf(path: string): string[] {
    const [, name] = path.match(/\{(\w+)\}/) ?? []
    if (!name) return [path]
    const knownValues: Record<string, string[]> = { ...ids, revision: ['last'], format: ['json', 'mxl'] }
    const candidates = knownValues[name] ?? Object.values(ids).flat()
    return candidates.flatMap((id) => addressesOf(path.replace(`{${name}}`, id)))
  }

  /** Returns the responses of every operation that reads. */
  async function readAllAs(person: Person): Promise<string> {
    const reads = Object.values(operations).filter(({ method }) => method === 'GET')
    const addresses = [
      ...reads.flatMap(({ path }) => addressesOf(path)),
      ...assignments.map(({ id }) => `/groups?type=assignmentStudentsSubGroup&assignment=${id}`),
      `/groups?type=classStudentsSubGroup&classroom=${schoolClass.id}`,
    ]
    const texts: string[] = []
    for (let at = 0; at < addresses.length; at += 16) {
      const replies = await Promise.all(addresses.slice(at, at + 16).map((address) => person.get(address)))
      texts.push(...replies.map(({ bytes }) => Buffer.from(bytes).toString()))
    }
    return texts.join('\n')
  }

  it('contain nothing about hidden assignments', async () => {
    const toSam = await readAllAs(people.sam)
    expect(toSam).toContain(plain)
    expect(toSam).not.toContain(canary)
    const toTess = await readAllAs(people.tess)
    for (const reason of reasons) expect(toTess).toContain(`${canaryOf(reason)} title`)
    expect(toTess).toContain(`${canary} comment`)
  })

  it('contain nothing about them in errors', async () => {
    for (const { id } of assignments) {
      const path = `/classes/${schoolClass.id}/assignments/${id}`
      const replies = [
        await people.sam.put(path, { title: 'A' }),
        await people.sam.post(`${path}/copy`, { classroom: schoolClass.id }),
        await people.sam.post(`${path}/archive`),
        await people.sam.delete(`${path}/archive`),
        await people.sam.delete(path),
      ]
      for (const { status, bytes } of replies) {
        expect([403, 404]).toContain(status)
        expect(Buffer.from(bytes).toString()).not.toContain(canary)
      }
    }
  })
})
