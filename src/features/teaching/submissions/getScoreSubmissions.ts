import Type from 'typebox'
import { AssignmentSubmission } from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { canSee } from '../assignments/policy.ts'
import { relationOf } from '../classes/policy.ts'
import { isMember } from '../../people/organizations/policy.ts'
import { canRead, loadScore } from '../../library/scores/policy.ts'
import { composeSubmissions } from './compose.ts'
import { canTeach } from './policy.ts'
import { listSubmissionsWithScore } from './store.ts'

export const getScoreSubmissions = operation({
  id: 'getScoreSubmissions',
  tag: 'Score',
  summary: 'List the submissions that a score is attached to',
  description:
    'Lists the submissions that the caller can see: the caller’s own, and those in classes that the ' +
    'caller teaches or administers.',
  scopes: ['scores', 'scores.readonly'],
  params: Type.Object({ score: Type.String() }),
  responses: { 200: Type.Array(AssignmentSubmission) },
  async handle({ ctx, actor, params }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead)
    // A user without an organization has no classes.
    const none: AssignmentSubmission[] = []
    if (!isMember(actor)) return none
    const { id: viewer, organization } = actor
    const all = await listSubmissionsWithScore(ctx.db.read, { score: score.id, viewer, organization })
    const teaching = new Set(
      all.filter((submission) => canTeach(relationOf(actor, submission))).map(({ id }) => id),
    )
    const seen = all.filter((submission) => {
      const { assignment_state: state, class_state } = submission
      const loaded = {
        assignment: { ...submission, state },
        schoolClass: { state: class_state },
        relation: relationOf(actor, submission),
      }
      return teaching.has(submission.id) || (submission.is_own === 1 && canSee(loaded, ctx.clock.now()))
    })
    return composeSubmissions(ctx, ctx.db.read, { id: viewer, teaches: ({ id }) => teaching.has(id) }, seen)
  },
})
