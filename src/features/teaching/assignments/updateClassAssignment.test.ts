import { beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeEachDatabase('updateClassAssignment', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, theo, sam, sol } = people
    schoolClass = await newClass(app, people.id, { teachers: [tess, theo], students: [sam, sol] })
  })

  const pathOf = (id: string) => `/classes/${schoolClass.id}/assignments/${id}`
  const update = (id: string, body: object, by: 'tess' | 'theo' | 'ada' | 'sam' = 'tess') =>
    people[by].put(pathOf(id), body)
  const newScore = async (): Promise<string> =>
    (await people.tess.post('/scores', emptyPiano('Piece'))).body.id
  const level = async (score: string, by: 'sam' | 'sol' | 'theo' = 'sam') => {
    const { status, body } = await people[by].get(`/scores/${score}`)
    return status === 200 ? (body.rights.aclWrite ? 'write' : 'read') : status
  }
  const pathOfNew = async (properties: object) =>
    pathOf((await newAssignment(people.tess, schoolClass, properties)).id)
  const inTime = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()

  it('changes only the given fields', async () => {
    const { id } = await newAssignment(people.tess, schoolClass, {
      maxPoints: 5,
      toolset: 'a',
      cover: 'b',
      description: 'Old',
      attachments: [{ url: 'https://example.com/' }],
      dueDate: inTime(minute),
      assignedStudents: [people.sam.id],
      rubric: { criteria: [{ id: 'a', title: 'A', points: 1 }] },
    })
    const { body: before } = await people.tess.get(pathOf(id))
    const { status, body } = await update(id, { title: 'New', toolset: null, allowMetronome: true }, 'theo')
    expect(status).toBe(200)
    const { toolset: _toolset, ...rest } = before
    expect(body).toEqual({ ...rest, title: 'New', allowMetronome: true })
    expect((await people.tess.get(pathOf(id))).body).toEqual(body)
  })

  it.each([
    [{ classGroupIds: null }, 'everyone'],
    [{ assignedStudents: [] }, 'everyone'],
    [{ assignedStudents: [], classGroupIds: [], assigneeMode: 'selected' }, 'selected'],
  ])(
    'is assigned to everyone again when the last assignee is removed, unless the body sets a mode (%j)',
    async (body, mode) => {
      const { tess, sam, sol } = people
      const group = await newSubGroup(tess, schoolClass, `Group ${app.ctx.newId()}`, sam)
      const names = 'classGroupIds' in body ? { classGroupIds: [group] } : { assignedStudents: [sam.id] }
      const path = await pathOfNew(names)
      expect((await sol.get(path)).status).toBe(404)
      expect((await tess.put(path, body)).body.assigneeMode).toBe(mode)
      for (const person of [sam, sol])
        expect((await person.get(path)).status).toBe(mode === 'everyone' ? 200 : 404)
    },
  )

  it('keeps the remaining assignees', async () => {
    const { tess, sam, sol } = people
    const group = await newSubGroup(tess, schoolClass, `Group ${app.ctx.newId()}`, sam)
    const path = await pathOfNew({ assignedStudents: [sam.id], classGroupIds: [group] })
    for (const body of [
      { classGroupIds: null },
      { classGroupIds: [group], assignedStudents: [] },
      { assignedStudents: [] },
    ]) {
      expect((await tess.put(path, body)).body.assigneeMode).toBe('selected')
      expect([(await sam.get(path)).status, (await sol.get(path)).status]).toEqual([200, 404])
    }
  })

  it('clears optional fields with null', async () => {
    const { id } = await newAssignment(people.tess, schoolClass, {
      maxPoints: 5,
      nbPlaybackAuthorized: 2,
      dueDate: inTime(minute),
      rubric: { criteria: [{ id: 'a', title: 'A', points: 1 }] },
    })
    const { body } = await update(id, {
      maxPoints: null,
      nbPlaybackAuthorized: null,
      dueDate: null,
      rubric: null,
    })
    for (const field of ['maxPoints', 'nbPlaybackAuthorized', 'dueDate', 'rubric'])
      expect(body).not.toHaveProperty(field)
  })

  it('replaces formatted text by plain text', async () => {
    const { id } = await newAssignment(people.tess, schoolClass, { descriptionHtml: '<p>Old</p>' })
    const { body } = await update(id, { description: 'New <text>' })
    expect([body.description, body.descriptionHtml]).toEqual(['New <text>', undefined])
  })

  describe('and its state', () => {
    it('publishes a draft, which cannot become a draft again', async () => {
      const { id } = await newAssignment(people.tess, schoolClass, { state: 'draft' })
      expect((await update(id, { state: 'active' })).body.state).toBe('active')
      expect((await people.sam.get(pathOf(id))).status).toBe(200)
      const { status, body } = await update(id, { state: 'draft' })
      expect([status, body.code, body.param]).toEqual([409, 'ASSIGNMENT_STATE_CONFLICT', 'state'])
    })

    it('postpones and advances the date of an assignment that is not visible yet', async () => {
      const { id } = await newAssignment(people.tess, schoolClass, {
        state: 'draft',
        scheduledDate: inTime(minute),
      })
      await update(id, { scheduledDate: inTime(3 * minute) })
      clock.forward(2 * minute)
      await app.jobsDone()
      expect((await people.tess.get(pathOf(id))).body.state).toBe('draft')
      await update(id, { scheduledDate: inTime(minute / 2) })
      clock.forward(minute / 2)
      await app.jobsDone()
      expect((await people.tess.get(pathOf(id))).body.state).toBe('active')
      expect((await people.sam.get(pathOf(id))).status).toBe(200)
    })

    it('publishes immediately if the date has passed', async () => {
      const { id } = await newAssignment(people.tess, schoolClass, { state: 'draft' })
      expect((await update(id, { scheduledDate: inTime(-minute) })).body.state).toBe('active')
    })

    it('does not publish a draft whose date was removed', async () => {
      const { id } = await newAssignment(people.tess, schoolClass, {
        state: 'draft',
        scheduledDate: inTime(minute),
      })
      await update(id, { scheduledDate: null })
      clock.forward(2 * minute)
      await app.jobsDone()
      expect((await people.tess.get(pathOf(id))).body.state).toBe('draft')
    })

    it('refuses to hide a visible assignment', async () => {
      const { id } = await newAssignment(people.tess, schoolClass)
      const { status, body } = await update(id, { scheduledDate: inTime(minute) })
      expect([status, body.code, body.param]).toEqual([409, 'ASSIGNMENT_STATE_CONFLICT', 'scheduledDate'])
    })

    it('does not publish in an archived class until it is unarchived', async () => {
      const own = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
      const { id } = await newAssignment(people.tess, own, { state: 'draft', scheduledDate: inTime(minute) })
      await people.tess.post(`/classes/${own.id}/archive`)
      clock.forward(2 * minute)
      await app.jobsDone()
      const stateNow = async () => (await people.tess.get(`/classes/${own.id}/assignments/${id}`)).body.state
      expect(await stateNow()).toBe('draft')
      await people.tess.delete(`/classes/${own.id}/archive`)
      await app.jobsDone()
      expect(await stateNow()).toBe('active')
    })

    it('returns 409 for an archived assignment and an archived class', async () => {
      const { id } = await newAssignment(people.tess, schoolClass)
      await people.tess.post(`${pathOf(id)}/archive`)
      expect((await update(id, { title: 'A' })).body.code).toBe('ASSIGNMENT_ARCHIVED')
      await setClassState(app, schoolClass, 'archived')
      expect((await update(id, { title: 'A' })).body.code).toBe('CLASS_ARCHIVED')
      await setClassState(app, schoolClass, 'active')
    })
  })

  describe('updates access', () => {
    it('after a change of the attachments or their sharing mode', async () => {
      const [first, second] = [await newScore(), await newScore()]
      const { id } = await newAssignment(people.tess, schoolClass, {
        attachments: [{ score: first, sharingMode: 'write' }],
      })
      expect(await level(first)).toBe('write')
      await update(id, { attachments: [{ score: first }, { score: second, sharingMode: 'write' }] })
      expect([await level(first), await level(second)]).toEqual(['read', 'write'])
      await update(id, { attachments: [{ score: second, teacherOnly: true }] })
      expect([await level(first), await level(second), await level(second, 'theo')]).toEqual([
        404,
        404,
        'read',
      ])
      await update(id, { attachments: [] })
      expect(await level(second, 'theo')).toBe(404)
    })

    it('on publication', async () => {
      const [drafted, scheduled] = [await newScore(), await newScore()]
      const { id } = await newAssignment(people.tess, schoolClass, {
        state: 'draft',
        attachments: [{ score: drafted }],
      })
      await newAssignment(people.tess, schoolClass, {
        scheduledDate: inTime(minute),
        attachments: [{ score: scheduled }],
      })
      expect([await level(drafted), await level(scheduled)]).toEqual([404, 404])
      await update(id, { state: 'active' })
      clock.forward(minute)
      await app.jobsDone()
      expect([await level(drafted), await level(scheduled)]).toEqual(['read', 'read'])
    })

    it('after a change of the assignees', async () => {
      const score = await newScore()
      const { id } = await newAssignment(people.tess, schoolClass, { attachments: [{ score }] })
      await update(id, { assignedStudents: [people.sol.id] })
      expect([await level(score), await level(score, 'sol')]).toEqual([404, 'read'])
      const group = await newSubGroup(people.tess, schoolClass, 'Harps', people.sam)
      await update(id, { assignedStudents: [], classGroupIds: [group] })
      expect([await level(score), await level(score, 'sol')]).toEqual(['read', 404])
      await update(id, { assigneeMode: 'everyone', classGroupIds: null })
      expect([await level(score), await level(score, 'sol')]).toEqual(['read', 'read'])
    })

    it('when the class is activated', async () => {
      const score = await newScore()
      const own = await newClass(app, people.id, {
        teachers: [people.tess],
        students: [people.sam],
        state: 'inactive',
      })
      await newAssignment(people.tess, own, { attachments: [{ score }] })
      expect(await level(score)).toBe(404)
      await people.tess.post(`/classes/${own.id}/activate`)
      expect(await level(score)).toBe('read')
    })

    it('for each assignment independently', async () => {
      const score = await newScore()
      const one = await newAssignment(people.tess, schoolClass, { attachments: [{ score }] })
      const other = await newAssignment(people.tess, schoolClass, {
        attachments: [{ score, sharingMode: 'write' }],
      })
      expect(await level(score)).toBe('write')
      await update(other.id, { attachments: [] })
      expect(await level(score)).toBe('read')
      await update(one.id, { attachments: [] })
      expect(await level(score)).toBe(404)
    })

    it('but keeps the attachments of other teachers that the caller cannot read', async () => {
      const score = await newScore()
      const { id } = await newAssignment(people.tess, schoolClass, { attachments: [{ score }] })
      const { status, body } = await update(
        id,
        { attachments: [{ score }, { url: 'https://example.com/' }] },
        'ada',
      )
      expect([status, body.attachments.length, await level(score)]).toEqual([200, 2, 'read'])
    })
  })

  it('loses neither of two concurrent changes', async () => {
    const { id } = await newAssignment(people.tess, schoolClass)
    const changes = [{ title: 'New' }, { maxPoints: 7 }, { description: 'Text' }, { allowMetronome: true }]
    const replies = await Promise.all(changes.map((change) => update(id, change)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await people.tess.get(pathOf(id))).body).toMatchObject(Object.assign({}, ...changes))
  })

  it('is either applied before a concurrent archiving or refused', async () => {
    for (let round = 0; round < 5; round++) {
      const score = await newScore()
      const { id } = await newAssignment(people.tess, schoolClass)
      const [archived, updated] = await Promise.all([
        people.tess.post(`${pathOf(id)}/archive`),
        update(id, { attachments: [{ score, sharingMode: 'write' }] }),
      ])
      expect(archived.status).toBe(200)
      expect([200, 409]).toContain(updated.status)
      const { body } = await people.tess.get(pathOf(id))
      expect(body).toMatchObject({
        state: 'archived',
        attachments: updated.status === 200 ? [{ score }] : [],
      })
      expect(await level(score)).toBe(updated.status === 200 ? 'read' : 404)
    }
  })
})
