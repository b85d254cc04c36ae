import { Readable } from 'node:stream'
import { submissionsParams } from '../../../contract/submissions.ts'
import { csvOf } from '../../../lib/csv.ts'
import { File } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { loadAssignment } from '../assignments/policy.ts'
import { countComments } from '../submission-comments/store.ts'
import { canTeach } from './policy.ts'
import { fileNameOf, reviewsOf } from './reviews.ts'

export const exportSubmissionsReviewsAsCsv = operation({
  id: 'exportSubmissionsReviewsAsCsv',
  tag: 'Class',
  summary: 'Export the grades of an assignment as CSV',
  description:
    'For teachers. The file has one row for each student of the class, including students without a ' +
    'submission.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: submissionsParams,
  responses: { 200: { files: ['text/csv'] } },
  async handle({ ctx, actor, params }) {
    const loaded = await loadAssignment(ctx, ctx.db.read, actor, params, canTeach)
    const table = reviewsOf(ctx.db.read, loaded, (ids) => countComments(ctx.db.read, ids, actor.id))
    const stream = Readable.from(csvOf(table), { objectMode: false })
    return new File({ stream }, 'text/csv; charset=utf-8', `${fileNameOf(loaded)}.csv`)
  },
})
