import Type from 'typebox'
import { AssignmentSubmission } from '../../contract/submissions.ts'
import { operation } from '../../operation.ts'
import { canSee } from '../assignments/policy.ts'
import { isAdministrator } from '../organizations/policy.ts'
import { canRead, loadScore } from '../scores/policy.ts'
import { composeSubmissions } from './compose.ts'
import { canTeach } from './policy.ts'
import { listSubmissionsWith, type PlacedSubmission } from './store.ts'

export const getScoreSubmissions = operation({
  id: 'getScoreSubmissions',
  tag: 'Score',
  summary: 'List the submissions that a score is attached to',
  description: 'Those that the caller may see: one’s own, and those in classes that one teaches or administers.',
  scopes: ['scores', 'scores.readonly'],
  params: Type.Object({ score: Type.String() }),
  responses: { 200: Type.Array(AssignmentSubmission) },
  async handle({ ctx, actor, params }) {
    const { score } = await loadScore(ctx.db.read, actor, params.score, canRead)
    const { id: viewer, organization = '' } = actor
    const all = await listSubmissionsWith(ctx.db.read, { score: score.id, viewer, organization })
    const standingOf = ({ viewer_role }: PlacedSubmission) => ({
      role: viewer_role ?? undefined,
      isAdministrator: isAdministrator(actor),
    })
    const teaching = new Set(all.filter((one) => canTeach(standingOf(one))).map(({ id }) => id))
    const seen = all.filter(({ is_own, ...one }) => {
      const { assignment_state: state, class_state, ...assignment } = one
      const loaded = {
        assignment: { ...assignment, state },
        klass: { state: class_state },
        standing: standingOf({ ...one, is_own }),
      }
      return teaching.has(one.id) || (is_own === 1 && canSee(loaded, ctx.clock.now()))
    })
    return composeSubmissions(ctx, ctx.db.read, { id: viewer, teaches: ({ id }) => teaching.has(id) }, seen)
  },
})
