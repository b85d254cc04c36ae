import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../test/support/app.ts'
import { newAssignment } from '../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { emptyPiano } from '../../../test/support/scores.ts'
import { operations } from '../../operations.ts'

/** Stands in all that Sam may not read; no answer to Sam has it. */
const canary = 'canary'
/** Stands in what Sam may read: without it the test would see nothing. */
const plain = 'plain-text'

describeApp('what students see of assignments', (app) => {
  let people: School
  let klass: TestClass
  let assignments: { id: string }[]
  let scores: string[]

  const newScore = async (title: string): Promise<string> =>
    (await people.tess.post('/scores', emptyPiano(title))).body.id
  const secret = {
    title: `${canary} title`,
    description: `${canary} description`,
    teacherInstructions: `${canary} instructions`,
    toolset: `${canary}-toolset`,
  }

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, sam, sol } = people
    klass = await newClass(app, people.id, { teachers: [tess], students: [sam, sol] })
    const ofSol = await newSubGroup(tess, klass, `${canary} group`, sol)
    const hidden = { ...secret, attachments: [{ url: `https://example.com/${canary}` }] }
    const inactive = await newClass(app, people.id, { teachers: [tess], students: [sam], state: 'inactive' })
    scores = [await newScore(`${canary} score`), await newScore(`${canary} draft`)]
    const [teacherScore, draftScore] = scores
    assignments = await Promise.all([
      newAssignment(tess, klass, {
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
      newAssignment(tess, klass, { ...hidden, state: 'draft', attachments: [{ score: draftScore }] }),
      newAssignment(tess, klass, { ...hidden, scheduledDate: '2999-01-01T00:00:00Z' }),
      newAssignment(tess, klass, { ...hidden, assignedStudents: [sol.id] }),
      newAssignment(tess, klass, { ...hidden, classGroupIds: [ofSol] }),
      newAssignment(tess, inactive, hidden),
    ])
  })

  /** The answers of every read with all ids that the teacher knows, in every place. */
  async function answersTo(person: Person): Promise<string> {
    const ids = [klass.id, klass.studentsGroup, ...assignments.map(({ id }) => id), ...scores, person.id, 'me']
    const addresses = Object.values(operations)
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) => {
        const places = path.match(/\{\w+\}/g) ?? []
        if (places.length > 2) return []
        const [first = '', second = ''] = places
        const firsts = first === '{class}' ? [klass.id] : first ? ids : ['']
        return firsts.flatMap((one) =>
          (second ? ids : ['']).map((other) => path.replace(first, one).replace(second, other)),
        )
      })
    const asked = [
      ...addresses,
      ...assignments.map(({ id }) => `/groups?type=assignmentStudentsSubGroup&assignment=${id}`),
      `/groups?type=classStudentsSubGroup&classroom=${klass.id}`,
    ]
    const texts: string[] = []
    for (const address of new Set(asked)) texts.push(Buffer.from((await person.get(address)).bytes).toString())
    return texts.join('\n')
  }

  it('is nothing of what is not for them, in the answer of any operation', async () => {
    const toSam = await answersTo(people.sam)
    expect(toSam).toContain(plain)
    expect(toSam).not.toContain(canary)
    expect(await answersTo(people.tess)).toContain(canary)
  })

  it('is nothing of it in the answers to what they may not do', async () => {
    for (const { id } of assignments) {
      const path = `/classes/${klass.id}/assignments/${id}`
      const replies = [
        await people.sam.put(path, { title: 'A' }),
        await people.sam.post(`${path}/copy`, { classroom: klass.id }),
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
