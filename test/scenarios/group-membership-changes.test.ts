import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../support/classes.ts'
import { makeSchool, type School } from '../support/school.ts'
import { emptyPiano } from '../support/scores.ts'
import { newSubmission, submissionsOf } from '../support/submissions.ts'

const names = ['sam', 'sol', 'una'] as const
type Name = (typeof names)[number]
type Step =
  | { event: 'begin' | 'join' | 'leave' | 'leaveClass' | 'promote'; student: Name }
  | { event: 'deleteGroup' }

/** A reference model of the memberships and the submissions, with plain sets. */
class Model {
  readonly class = new Set<Name>(names)
  readonly group = new Set<Name>(['sam', 'sol'])
  readonly alone = new Set<Name>()
  readonly teachers = new Set<Name>()
  /** The group's submission, if any. `last` is the student who keeps it while the group is empty. */
  work: { last: Name } | undefined
  hasGroup = true

  /** Returns whether the request for this step must succeed. */
  accepts(step: Step): boolean {
    if (step.event === 'deleteGroup') return this.hasGroup
    if (step.event === 'join') return this.hasGroup && this.class.has(step.student)
    if (step.event === 'leave') return this.hasGroup && this.group.has(step.student)
    if (step.event === 'leaveClass') return this.class.has(step.student) || this.teachers.has(step.student)
    return step.event === 'promote' || this.class.has(step.student)
  }

  apply(step: Step): void {
    if (step.event === 'deleteGroup') {
      // The group of the assignment keeps its members and its work.
      this.hasGroup = false
      return
    }
    const { event, student } = step
    if (event === 'begin') {
      if (this.group.has(student) && this.work) return
      if (this.alone.has(student)) return
      if (this.group.has(student)) this.work = { last: student }
      else this.alone.add(student)
    }
    if (event === 'join') {
      this.group.add(student)
      if (this.work && this.group.size === 1) this.work.last = student
    }
    if (event === 'leave' || event === 'leaveClass' || event === 'promote') this.group.delete(student)
    if (this.work && this.group.size === 1) this.work.last = [...this.group][0] as Name
    if (event === 'leaveClass') {
      this.class.delete(student)
      this.teachers.delete(student)
      this.alone.delete(student)
      if (this.group.size === 0 && this.work?.last === student) this.work = undefined
    }
    if (event === 'promote' && this.class.delete(student)) this.teachers.add(student)
  }

  hasSubmission = (student: Name): boolean =>
    this.class.has(student) && ((this.group.has(student) && !!this.work) || this.alone.has(student))

  accessToCopy(student: Name): 'nothing' | 'read' | 'write' {
    const isLast = this.group.size === 0 && this.work?.last === student
    return this.group.has(student) || isLast ? 'write' : this.teachers.has(student) ? 'read' : 'nothing'
  }
}

/**
 * Generates the steps of a random walk from a seed (Lehmer generator modulo 2^31 - 1, Park and Miller 1988).
 */
function stepsOf(seed: number): Step[] {
  let state = seed
  const pick = <T>(from: readonly T[]): T => {
    state = (state * 48271) % 2147483647
    return from[state % from.length] as T
  }
  const events = [
    'begin',
    'begin',
    'join',
    'join',
    'leave',
    'leave',
    'leaveClass',
    'promote',
    'deleteGroup',
  ] as const
  return Array.from({ length: 9 }, () => {
    const event = pick(events)
    if (event === 'deleteGroup') return { event }
    // Only Una is promoted, because each walk creates a new user for her.
    return { event, student: event === 'promote' ? 'una' : pick(names) }
  })
}

describeApp('submissions while group memberships change', (app) => {
  let people: School
  let template: string

  beforeAll(async () => {
    people = await makeSchool(app)
    template = (await people.tess.post('/scores', emptyPiano('Template'))).body.id
  })

  interface Setting {
    schoolClass: TestClass
    group: string
    assignment: { id: string }
    actors: Record<Name, Person>
  }

  async function send({ schoolClass, group, assignment, actors }: Setting, step: Step): Promise<number> {
    const { tess, ada } = people
    if (step.event === 'deleteGroup') return (await tess.delete(`/groups/${group}`)).status
    const { id } = actors[step.student]
    const sent = {
      begin: () => actors[step.student].put(submissionsOf(schoolClass, assignment), {}),
      join: () => tess.post(`/groups/${group}/users`, { user: id }),
      leave: () => tess.delete(`/groups/${group}/users/${id}`),
      leaveClass: () => tess.delete(`/classes/${schoolClass.id}/users/${id}`),
      promote: () => ada.put(`/organizations/users/${id}`, { organizationRole: 'teacher' }),
    }
    return (await sent[step.event]()).status
  }

  async function accessOf(person: Person, score: string): Promise<'nothing' | 'read' | 'write'> {
    const { status, body } = await person.get(`/scores/${score}`)
    return status !== 200 ? 'nothing' : body.rights.aclWrite ? 'write' : 'read'
  }

  describe('members of the group own its submission, teachers can read it, and each student has at most one submission', () => {
    it.each([1, 2, 3, 4, 5, 6, 7, 8])('in random walk %i', async (seed) => {
      const { id, tess, sam, sol } = people
      const una = await app.person(`una${app.ctx.newId().slice(-20)}`, { organization: id })
      const actors = { sam, sol, una }
      const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol, una] })
      const group = await newSubGroup(tess, schoolClass, 'Duo', sam, sol)
      const assignment = await newAssignment(tess, schoolClass, {
        submissionStudentsMode: 'group',
        attachments: [{ score: template, sharingMode: 'copy' }],
      })
      const path = `/classes/${schoolClass.id}/assignments/${assignment.id}`
      const ofAssignment = (await tess.get(path)).body.assignedGroups[0].id
      const setting = { schoolClass, group, assignment, actors }
      const model = new Model()
      const steps: Step[] = []
      for (const step of stepsOf(seed * 7919)) {
        steps.push(step)
        const accepted = model.accepts(step)
        const status = await send(setting, step)
        expect([steps, status < 300]).toEqual([steps, accepted])
        if (accepted) model.apply(step)
        const all: { group?: string; attachments: { score: string }[] }[] = (
          await tess.get(submissionsOf(schoolClass, assignment))
        ).body
        const works = all.filter((one) => one.group === ofAssignment)
        expect([steps, works.length]).toEqual([steps, model.work ? 1 : 0])
        for (const name of names) {
          const own = await actors[name].get(submissionsOf(schoolClass, assignment))
          const count = own.status === 200 && !model.teachers.has(name) ? own.body.length : 0
          expect([steps, name, count]).toEqual([steps, name, model.hasSubmission(name) ? 1 : 0])
        }
        const copy = works[0]?.attachments[0]?.score
        if (copy === undefined) continue
        for (const name of names) {
          expect([steps, name, await accessOf(actors[name], copy)]).toEqual([
            steps,
            name,
            model.accessToCopy(name),
          ])
        }
        expect([steps, await accessOf(tess, copy)]).toEqual([steps, 'read'])
      }
    })
  })

  it('a student in two groups submits with the group that the assignment names', async () => {
    const { id, tess, sam, sol } = people
    const suri = await app.person('suri', { organization: id })
    const schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol, suri] })
    await newSubGroup(tess, schoolClass, 'Older', sam, sol)
    const younger = await newSubGroup(tess, schoolClass, 'Younger', sam, suri)
    const assignment = await newAssignment(tess, schoolClass, {
      submissionStudentsMode: 'group',
      classGroupIds: [younger],
    })
    const work = await newSubmission(sam, schoolClass, assignment)
    expect((await newSubmission(suri, schoolClass, assignment)).id).toBe(work.id)
    expect((await sol.get(submissionsOf(schoolClass, assignment))).status).toBe(404)
  })
})
