import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'

const groupWork = (by: 'id' | 'class_id' | 'group_id' | 'assignment_id') =>
  compiled((db, p: Params<{ ids: readonly string[] }>) =>
    db
      .selectFrom('submissions')
      .innerJoin('assignments', 'assignments.id', 'submissions.assignment_id')
      .where(p.isIn(`submissions.${by}`, 'ids'))
      .where('submissions.group_id', 'is not', null)
      .select([
        'submissions.id',
        'submissions.creator_id',
        'submissions.class_id',
        'submissions.assignment_id',
      ])
      .select((eb) => eb.ref('submissions.group_id').$notNull().as('group_id'))
      .select('assignments.state as assignment_state')
      .orderBy('submissions.id'),
  )
const groupWorkOf = {
  submissions: groupWork('id'),
  class: groupWork('class_id'),
  groups: groupWork('group_id'),
  assignment: groupWork('assignment_id'),
}

/** A group submission with the columns that decide whether the group may still edit it. */
export type GroupWork = Awaited<ReturnType<(typeof groupWorkOf)['class']>>[number]

/** Returns the submissions of these groups, or all group submissions in a class or to an assignment. */
export async function listGroupWork(
  queries: Queries,
  by: { class: string } | { groups: readonly string[] } | { assignment: string },
): Promise<GroupWork[]> {
  if ('class' in by) return groupWorkOf.class(queries, { ids: [by.class] })
  if ('assignment' in by) return groupWorkOf.assignment(queries, { ids: [by.assignment] })
  return by.groups.length > 0 ? groupWorkOf.groups(queries, { ids: by.groups }) : []
}

/**
 * Returns the group submissions to which scores of `owner` are attached that are not copies, in one class or
 * in all.
 */
export async function listGroupWorkWith(
  queries: Queries,
  owner: string,
  classId?: string,
): Promise<GroupWork[]> {
  const attached = await queries
    .selectFrom('scores')
    .innerJoin('submission_attachments as attached', 'attached.score_id', 'scores.id')
    .innerJoin('submissions', 'submissions.id', 'attached.submission_id')
    .where('scores.owner_id', '=', owner)
    .where('attached.dedicated', '=', 0)
    .where('submissions.group_id', 'is not', null)
    .$if(classId !== undefined, (query) => query.where('submissions.class_id', '=', classId ?? ''))
    .select('submissions.id')
    .distinct()
    .execute()
  return attached.length > 0 ? groupWorkOf.submissions(queries, { ids: attached.map(({ id }) => id) }) : []
}
