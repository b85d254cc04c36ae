import { AssignmentSubmission, AssignmentSubmissionUpdate, submissionsParams } from '../../contract/submissions.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { composeSubmission } from './compose.ts'
import { beginsBlank, blankScore } from './copies.ts'
import { foreignField } from './lifecycle.ts'
import { loadOpenAssignment } from './policy.ts'
import { needsCopies, workOn } from './student-work.ts'

export const createSubmission = operation({
  id: 'createSubmission',
  tag: 'Class',
  summary: 'Begin, edit, hand in or take back one’s work on an assignment',
  description:
    'For students. The first time, the scores that the assignment gives to work in are made for the student, or for the ' +
    'group where groups hand in. `submit` hands the work in; what is handed in is not edited unless it is handed in again, ' +
    'or taken back with `submit: false`.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionsParams,
  body: AssignmentSubmissionUpdate,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params, body }) {
    const work = (blank: Awaited<ReturnType<typeof blankScore>> | undefined) =>
      ctx.transaction(async (tx) => {
        const loaded = await loadOpenAssignment(ctx, tx, actor, params)
        const param = foreignField('student', body)
        if (param) fail('SUBMISSION_FIELD_DENIED', { param })
        if (!blank && beginsBlank(loaded) && (await needsCopies(tx, loaded, actor.id))) {
          return { needsBlank: loaded.assignment.title }
        }
        return { standing: loaded.standing, submission: await workOn(ctx, tx, actor, loaded, body, blank) }
      })
    // An empty score is made before the transaction that needs one, once it is known that it does.
    const first = await work(undefined)
    const done = first.needsBlank === undefined ? first : await work(await blankScore(ctx, first.needsBlank))
    if (done.needsBlank !== undefined) throw new Error('A score was made and not taken')
    return composeSubmission(ctx, actor.id, done.standing, done.submission)
  },
})
