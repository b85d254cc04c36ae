import { beforeAll, describe, expect, it } from 'vitest'
import type { Event, State } from '../../src/features/submissions/lifecycle.ts'
import { describeApp, type Person } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../support/classes.ts'
import type { Reply } from '../support/client.ts'
import { makeSchool, type School } from '../support/school.ts'
import { events, lifecycle, states } from '../support/submission-states.ts'
import { newSubmission, submissionsOf } from '../support/submissions.ts'

/** Every event in every state, by everyone who has to do with the class, and the row that it leaves in the history. */
describeApp('the states of a submission', (app) => {
  let people: School
  let klass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, theo, sam, sol } = people
    klass = await newClass(app, id, { teachers: [tess, theo], students: [sam, sol] })
    await newSubGroup(tess, klass, 'Duo', sam, sol)
  })

  interface Place {
    /** Where a student works. */
    work: string
    /** The submission; there is none where nobody has begun. */
    at: string
  }

  /** What brings an event about. `start` and `edit` are the same request; what it does follows from the state. */
  const send: Record<Event, (by: Person, place: Place) => Promise<Reply>> = {
    start: (by, { work }) => by.put(work, {}),
    edit: (by, { work }) => by.put(work, { attachments: [{ url: 'https://example.com/' }] }),
    submit: (by, { work }) => by.put(work, { submit: true }),
    reclaim: (by, { work }) => by.put(work, { submit: false }),
    draftGrade: (by, { at }) => by.put(at, { draftGrade: 7 }),
    grade: (by, { at }) => by.put(at, { grade: 8 }),
    clearGrade: (by, { at }) => by.put(at, { grade: null }),
    return: (by, { at }) => by.put(at, { return: true }),
    reset: (by, { at }) => by.delete(at),
  }

  /** Sam's, or that of Sam and Sol. */
  type Whose = 'single' | 'group'

  async function submissionIn(state: State, submissionStudentsMode: Whose = 'single'): Promise<Place> {
    const { tess, sam } = people
    const about = { maxPoints: 10, dueDate: '2030-01-01T00:00:00.000Z', submissionStudentsMode }
    const assignment = await newAssignment(tess, klass, about)
    const work = submissionsOf(klass, assignment)
    if (state === 'none') return { work, at: `${work}/0123456789abcdef01234567` }
    const { id } = await newSubmission(sam, klass, assignment)
    const at = `${work}/${id}`
    if (state !== 'created') await sam.put(work, { submit: true })
    if (state === 'graded') await tess.put(at, { grade: 3 })
    if (state === 'returned') await tess.put(at, { return: true })
    expect((await tess.get(at)).body.state).toBe(state)
    return { work, at }
  }

  const historyOf = async ({ at }: Place) => (await people.tess.get(`${at}/history`)).body

  // Without a submission a teacher has nothing to act on: 404, which the policy table holds.
  // Where there is one, the request that would begin it is an edit.
  const walked = states.flatMap((state) =>
    events.filter((event) => event !== 'start').map((event) => ({ state, event })),
  )

  const ofEach = (['single', 'group'] as const).flatMap((whose) => walked.map((one) => ({ ...one, whose })))

  describe.each(ofEach)('$event of one ($whose) that is $state', ({ state, event, whose }) => {
    const { by, to } = lifecycle[event]
    const target = to[state]
    // `submit: false` says nothing of what was not turned in: it is an edit.
    const isEdit = event === 'reclaim' && target === undefined
    // Of a group it is the other one who acts, who has not begun it.
    const student = whose === 'group' ? 'sol' : 'sam'
    const actors = by === 'student' ? ([student] as const) : (['tess', 'theo', 'ada'] as const)

    it.each(actors)(target || isEdit ? `by %s makes it ${target ?? state}` : 'by %s is refused', async (name) => {
      const place = await submissionIn(state, whose)
      const before = await historyOf(place)
      const seen = (await people.tess.get(place.at)).body
      const { status, body } = await send[event](people[name], place)
      const history = await historyOf(place)
      expect(history.slice(0, before.length)).toEqual(before)
      const rows = history.slice(before.length)

      if (!target && !isEdit) {
        expect([status, body.code]).toEqual([409, 'SUBMISSION_STATE_CONFLICT'])
        expect((await people.tess.get(place.at)).body).toEqual(seen)
        expect(rows).toEqual([])
        return
      }
      expect([status, body.state]).toEqual([200, target ?? state])
      expect((await people.tess.get(place.at)).body.state).toBe(target ?? state)
      if (isEdit || event === 'edit') {
        expect(rows).toEqual([])
        return
      }
      const values: Partial<Record<Event, object>> = {
        draftGrade: { draftGrade: 7 },
        grade: { grade: 8, maxPoints: 10 },
      }
      expect(rows).toEqual([
        expect.objectContaining({
          date: expect.any(String),
          users: [people[name].id],
          state: event === 'reset' ? 'reset' : target,
          submission: seen.id,
          assignment: seen.assignment,
          classroom: klass.id,
          dueDate: '2030-01-01T00:00:00.000Z',
          ...values[event],
        }),
      ])
    })

    const others =
      by === 'student'
        ? ([
            ['tess', 403],
            ['theo', 403],
            ['ada', 403],
            ['tara', 404],
            ['abel', 404],
            ['otto', 403],
          ] as const)
        : ([
            ['sam', 403],
            ['sol', whose === 'group' ? 403 : 404],
            ['tara', 404],
            ['abel', 404],
            ['otto', 403],
          ] as const)

    it('is for nobody else', async () => {
      const place = await submissionIn(state, whose)
      const [before, history] = [(await people.tess.get(place.at)).body, await historyOf(place)]
      for (const [name, expected] of others) {
        const { status } = await send[event](people[name], place)
        expect([name, status]).toEqual([name, expected])
      }
      expect((await people.tess.get(place.at)).body).toEqual(before)
      expect(await historyOf(place)).toEqual(history)
    })
  })

  it('begin with the first PUT, which leaves a row', async () => {
    const { work } = await submissionIn('none')
    const { status, body } = await send.start(people.sam, { work, at: '' })
    expect([status, body.state]).toEqual([200, 'created'])
    const history = await historyOf({ work, at: `${work}/${body.id}` })
    expect(history).toMatchObject([{ state: 'created', users: [people.sam.id], submission: body.id }])
  })

  it('begin and end with one PUT that hands the work in at once', async () => {
    const { work } = await submissionIn('none')
    const { body } = await send.submit(people.sam, { work, at: '' })
    const history = await historyOf({ work, at: `${work}/${body.id}` })
    expect([body.state, history.map(({ state }: { state: string }) => state)]).toEqual([
      'turnedIn',
      ['created', 'turnedIn'],
    ])
  })
})
