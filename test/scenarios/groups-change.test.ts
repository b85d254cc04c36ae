import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../support/classes.ts'
import { makeSchool, type School } from '../support/school.ts'
import { emptyPiano } from '../support/scores.ts'
import { newSubmission, submissionsOf } from '../support/submissions.ts'

const names = ['sam', 'sol', 'una'] as const
type Name = (typeof names)[number]
type Step = { event: 'begin' | 'join' | 'leave' | 'leaveClass' | 'promote'; who: Name } | { event: 'deleteGroup' }

/** Who is where, and whose work there is, once more, over plain sets. */
class Model {
  readonly class = new Set<Name>(names)
  readonly group = new Set<Name>(['sam', 'sol'])
  readonly alone = new Set<Name>()
  readonly teachers = new Set<Name>()
  /** Whose the work of the group is while nobody is in the group; undefined while there is none. */
  work: { last: Name } | undefined
  hasGroup = true

  /** Whether a request that asks for this step is to be answered as done. */
  does(step: Step): boolean {
    if (step.event === 'deleteGroup') return this.hasGroup && !this.work
    if (step.event === 'join') return this.hasGroup && this.class.has(step.who)
    if (step.event === 'leave') return this.group.has(step.who)
    if (step.event === 'leaveClass') return this.class.has(step.who) || this.teachers.has(step.who)
    return step.event === 'promote' || this.class.has(step.who)
  }

  do(step: Step): void {
    if (step.event === 'deleteGroup') {
      this.hasGroup = false
      this.group.clear()
      return
    }
    const { event, who } = step
    if (event === 'begin') {
      if (this.group.has(who) && this.work) return
      if (this.alone.has(who)) return
      if (this.group.has(who)) this.work = { last: who }
      else this.alone.add(who)
    }
    if (event === 'join') {
      this.group.add(who)
      if (this.work && this.group.size === 1) this.work.last = who
    }
    if (event === 'leave' || event === 'leaveClass' || event === 'promote') this.group.delete(who)
    if (this.work && this.group.size === 1) this.work.last = [...this.group][0] as Name
    if (event === 'leaveClass') {
      this.class.delete(who)
      this.teachers.delete(who)
      this.alone.delete(who)
      if (this.group.size === 0 && this.work?.last === who) this.work = undefined
    }
    if (event === 'promote' && this.class.delete(who)) this.teachers.add(who)
  }

  hasOwn = (who: Name): boolean => this.class.has(who) && ((this.group.has(who) && !!this.work) || this.alone.has(who))

  mayWithCopy(who: Name): 'nothing' | 'read' | 'write' {
    const isLast = this.group.size === 0 && this.work?.last === who
    return this.group.has(who) || isLast ? 'write' : this.teachers.has(who) ? 'read' : 'nothing'
  }
}

/** The steps of a walk: the same for the same seed (a linear congruence modulo 2^31, as in Park and Miller 1988). */
function stepsOf(seed: number): Step[] {
  let state = seed
  const pick = <T>(from: readonly T[]): T => {
    state = (state * 48271) % 2147483647
    return from[state % from.length] as T
  }
  const events = ['begin', 'begin', 'join', 'join', 'leave', 'leave', 'leaveClass', 'promote', 'deleteGroup'] as const
  return Array.from({ length: 9 }, () => {
    const event = pick(events)
    if (event === 'deleteGroup') return { event }
    // Only Una is somebody else in each walk.
    return { event, who: event === 'promote' ? 'una' : pick(names) }
  })
}

describeApp('while groups change', (app) => {
  let people: School
  let template: string

  beforeAll(async () => {
    people = await makeSchool(app)
    template = (await people.tess.post('/scores', emptyPiano('Template'))).body.id
  })

  interface Place {
    klass: TestClass
    group: string
    assignment: { id: string }
    actors: Record<Name, Person>
  }

  async function send({ klass, group, assignment, actors }: Place, step: Step): Promise<number> {
    const { tess, ada } = people
    if (step.event === 'deleteGroup') return (await tess.delete(`/groups/${group}`)).status
    const { id } = actors[step.who]
    const sent = {
      begin: () => actors[step.who].put(submissionsOf(klass, assignment), {}),
      join: () => tess.post(`/groups/${group}/users`, { user: id }),
      leave: () => tess.delete(`/groups/${group}/users/${id}`),
      leaveClass: () => tess.delete(`/classes/${klass.id}/users/${id}`),
      promote: () => ada.put(`/organizations/users/${id}`, { organizationRole: 'teacher' }),
    }
    return (await sent[step.event]()).status
  }

  async function may(person: Person, score: string): Promise<'nothing' | 'read' | 'write'> {
    const { status, body } = await person.get(`/scores/${score}`)
    return status !== 200 ? 'nothing' : body.rights.aclWrite ? 'write' : 'read'
  }

  describe('the work of a group is that of who is in it, read by the teachers, and each has one submission at most', () => {
    it.each([1, 2, 3, 4, 5, 6, 7, 8])('in walk %i', async (seed) => {
      const { id, tess, sam, sol } = people
      const una = await app.person(`una${app.ctx.newId().slice(-20)}`, { organization: id })
      const actors = { sam, sol, una }
      const klass = await newClass(app, id, { teachers: [tess], students: [sam, sol, una] })
      const group = await newSubGroup(tess, klass, 'Duo', sam, sol)
      const assignment = await newAssignment(tess, klass, {
        submissionStudentsMode: 'group',
        attachments: [{ score: template, sharingMode: 'copy' }],
      })
      const place = { klass, group, assignment, actors }
      const model = new Model()
      const walked: Step[] = []
      for (const step of stepsOf(seed * 7919)) {
        walked.push(step)
        const does = model.does(step)
        const status = await send(place, step)
        expect([walked, status < 300]).toEqual([walked, does])
        if (does) model.do(step)
        const all: { group?: string; attachments: { score: string }[] }[] = (
          await tess.get(submissionsOf(klass, assignment))
        ).body
        const works = all.filter((one) => one.group === group)
        expect([walked, works.length]).toEqual([walked, model.work ? 1 : 0])
        for (const name of names) {
          const own = await actors[name].get(submissionsOf(klass, assignment))
          const count = own.status === 200 && !model.teachers.has(name) ? own.body.length : 0
          expect([walked, name, count]).toEqual([walked, name, model.hasOwn(name) ? 1 : 0])
        }
        const copy = works[0]?.attachments[0]?.score
        if (copy === undefined) continue
        for (const name of names) {
          expect([walked, name, await may(actors[name], copy)]).toEqual([walked, name, model.mayWithCopy(name)])
        }
        expect([walked, await may(tess, copy)]).toEqual([walked, 'read'])
      }
    })
  })

  it('a student of two groups hands in with the one that the assignment names', async () => {
    const { id, tess, sam, sol } = people
    const suri = await app.person('suri', { organization: id })
    const klass = await newClass(app, id, { teachers: [tess], students: [sam, sol, suri] })
    await newSubGroup(tess, klass, 'Older', sam, sol)
    const younger = await newSubGroup(tess, klass, 'Younger', sam, suri)
    const assignment = await newAssignment(tess, klass, { submissionStudentsMode: 'group', classGroupIds: [younger] })
    const work = await newSubmission(sam, klass, assignment)
    expect((await newSubmission(suri, klass, assignment)).id).toBe(work.id)
    expect((await sol.get(submissionsOf(klass, assignment))).status).toBe(404)
  })
})
