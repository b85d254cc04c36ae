import { beforeAll, describe, expect, it } from 'vitest'
import type { EventType, SubmissionState } from '../../src/features/teaching/submissions/lifecycle.ts'
import { describeApp, type Person } from '../support/app.ts'
import { newAssignment } from '../support/assignments.ts'
import { newSubGroup, type TestClass, makeSchoolWithClass } from '../support/classes.ts'
import type { Reply } from '../support/client.ts'
import type { School } from '../support/school.ts'
import { events, lifecycle, states } from '../support/submission-states.ts'
import { newSubmission, submissionsOf } from '../support/submissions.ts'

/**
 * Tests every event in every state, sent by every role in the class, and the entry that it adds to the
 * history.
 */
describeApp('the states of a submission', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
    const { tess, sam, sol } = people
    await newSubGroup(tess, schoolClass, 'Duo', sam, sol)
  })

  interface SubmissionPaths {
    /** The path of the student's submission requests. */
    work: string
    /** The path of the submission. It names a missing one before the submission is created. */
    at: string
  }

  /**
   * The request that triggers each event. `start` and `edit` are the same request: the state decides its
   * effect.
   */
  const send: Record<EventType, (by: Person, paths: SubmissionPaths) => Promise<Reply>> = {
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

  /** A submission of Sam, or of the group of Sam and Sol. */
  type SubmissionMode = 'single' | 'group'

  async function submissionIn(
    state: SubmissionState,
    submissionStudentsMode: SubmissionMode = 'single',
  ): Promise<SubmissionPaths> {
    const { tess, sam } = people
    const properties = { maxPoints: 10, dueDate: '2030-01-01T00:00:00.000Z', submissionStudentsMode }
    const assignment = await newAssignment(tess, schoolClass, properties)
    const work = submissionsOf(schoolClass, assignment)
    if (state === 'none') return { work, at: `${work}/0123456789abcdef01234567` }
    const { id } = await newSubmission(sam, schoolClass, assignment)
    const at = `${work}/${id}`
    if (state !== 'created') await sam.put(work, { submit: true })
    if (state === 'graded') await tess.put(at, { grade: 3 })
    if (state === 'returned') await tess.put(at, { return: true })
    expect((await tess.get(at)).body.state).toBe(state)
    return { work, at }
  }

  const historyOf = async ({ at }: SubmissionPaths) => (await people.tess.get(`${at}/history`)).body

  // The state `none` is not tested for teachers: they get a 404, which the policy table covers. In all other
  // states, the request of `start` is an edit.
  const cases = states.flatMap((state) =>
    events.filter((event) => event !== 'start').map((event) => ({ state, event })),
  )

  const casesOfBothModes = (['single', 'group'] as const).flatMap((mode) =>
    cases.map((one) => ({ ...one, mode })),
  )

  describe.each(casesOfBothModes)(
    '$event of a $mode submission in state $state',
    ({ state, event, mode }) => {
      const { by, to } = lifecycle[event]
      const target = to[state]
      // `submit: false` has no effect on a submission that is not turned in. It counts as an edit.
      const isEdit = event === 'reclaim' && target === undefined
      // In a group, the member who did not start the submission acts.
      const student = mode === 'group' ? 'sol' : 'sam'
      const actors = by === 'student' ? ([student] as const) : (['tess', 'theo', 'ada'] as const)

      it.each(actors)(
        target || isEdit ? `by %s makes it ${target ?? state}` : 'by %s is refused',
        async (name) => {
          const paths = await submissionIn(state, mode)
          const before = await historyOf(paths)
          const seen = (await people.tess.get(paths.at)).body
          const { status, body } = await send[event](people[name], paths)
          const history = await historyOf(paths)
          expect(history.slice(0, before.length)).toEqual(before)
          const rows = history.slice(before.length)

          if (!target && !isEdit) {
            expect([status, body.code]).toEqual([409, 'SUBMISSION_STATE_CONFLICT'])
            expect((await people.tess.get(paths.at)).body).toEqual(seen)
            expect(rows).toEqual([])
            return
          }
          expect([status, body.state]).toEqual([200, target ?? state])
          expect((await people.tess.get(paths.at)).body.state).toBe(target ?? state)
          if (isEdit || event === 'edit') {
            expect(rows).toEqual([])
            return
          }
          const values: Partial<Record<EventType, object>> = {
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
              classroom: schoolClass.id,
              dueDate: '2030-01-01T00:00:00.000Z',
              ...values[event],
            }),
          ])
        },
      )

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
              ['sol', mode === 'group' ? 403 : 404],
              ['tara', 404],
              ['abel', 404],
              ['otto', 403],
            ] as const)

      it('is refused for all other roles', async () => {
        const paths = await submissionIn(state, mode)
        const [before, history] = [(await people.tess.get(paths.at)).body, await historyOf(paths)]
        for (const [name, expected] of others) {
          const { status } = await send[event](people[name], paths)
          expect([name, status]).toEqual([name, expected])
        }
        expect((await people.tess.get(paths.at)).body).toEqual(before)
        expect(await historyOf(paths)).toEqual(history)
      })
    },
  )

  it('are created by the first PUT, which adds a history entry', async () => {
    const { work } = await submissionIn('none')
    const { status, body } = await send.start(people.sam, { work, at: '' })
    expect([status, body.state]).toEqual([200, 'created'])
    const history = await historyOf({ work, at: `${work}/${body.id}` })
    expect(history).toMatchObject([{ state: 'created', users: [people.sam.id], submission: body.id }])
  })

  it('are created and turned in by a single PUT', async () => {
    const { work } = await submissionIn('none')
    const { body } = await send.submit(people.sam, { work, at: '' })
    const history = await historyOf({ work, at: `${work}/${body.id}` })
    expect([body.state, history.map(({ state }: { state: string }) => state)]).toEqual([
      'turnedIn',
      ['created', 'turnedIn'],
    ])
  })
})
