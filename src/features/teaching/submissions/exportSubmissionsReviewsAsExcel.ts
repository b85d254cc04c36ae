import { submissionsParams } from '../../../contract/submissions.ts'
import { xlsxOf } from '../../../lib/xlsx.ts'
import { File } from '../../../answer.ts'
import { operation } from '../../../operation.ts'
import { loadAssignment } from '../assignments/policy.ts'
import { countComments } from '../submission-comments/store.ts'
import { canTeach } from './policy.ts'
import { fileNameOf, reviewsOf } from './reviews.ts'

const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const exportSubmissionsReviewsAsExcel = operation({
  id: 'exportSubmissionsReviewsAsExcel',
  tag: 'Class',
  summary: 'Export the grades of an assignment as an Excel workbook',
  description:
    'For teachers. The file has one row for each student of the class, including students without a ' +
    'submission.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: submissionsParams,
  responses: { 200: { files: [mediaType] } },
  async handle({ ctx, actor, params }) {
    const loaded = await loadAssignment(ctx, ctx.db.read, actor, params, canTeach)
    const table = reviewsOf(ctx.db.read, loaded, (ids) => countComments(ctx.db.read, ids, actor.id))
    const stream = xlsxOf(table, loaded.assignment.title)
    return new File({ stream }, mediaType, `${fileNameOf(loaded)}.xlsx`)
  },
})
