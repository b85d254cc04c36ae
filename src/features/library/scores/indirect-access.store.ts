import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'

/** The maximum number of rows of each list. */
const most = 200

/** Lists the collections through which a score is shared: those to which its owner has added it, with their owners and grants. */
export const listCollectionAccess = compiled((db, p: Params<{ score: string; owner: string }>) =>
  db
    .selectFrom('collection_scores')
    .innerJoin('collections', 'collections.id', 'collection_scores.collection_id')
    .innerJoin('users as owner', 'owner.id', 'collections.user_id')
    .leftJoin('grants', 'grants.collection_id', 'collections.id')
    .leftJoin('users', 'users.id', 'grants.user_id')
    .leftJoin('groups', 'groups.id', 'grants.group_id')
    .where('collection_scores.score_id', '=', p('score'))
    .where('collection_scores.added_by', '=', p('owner'))
    .where('collections.deletion_at', 'is', null)
    .select(['collections.title', 'collections.user_id as collection_owner', 'owner.username as owner_name'])
    .select(['users.username', 'groups.name as group_name', 'grants.level'])
    .orderBy('collections.id')
    .orderBy('grants.id')
    .limit(sql.lit(most)),
)

/** Lists the assignments that give access to a score, with the number of users and groups that get it. */
export const listAssignmentAccess = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('grants')
    .innerJoin('assignments', 'assignments.id', 'grants.assignment_id')
    .where('grants.score_id', '=', p('score'))
    .select(['assignments.title', 'grants.level'])
    .select((eb) => eb.fn.countAll<number>().as('holders'))
    .groupBy(['assignments.id', 'assignments.title', 'grants.level'])
    .orderBy('assignments.id')
    .limit(sql.lit(most)),
)

/** Lists the items of libraries that have a score attached. */
export const listLibraryAccess = compiled((db, p: Params<{ score: string }>) =>
  db
    .selectFrom('assignment_attachments')
    .innerJoin('edu_resources', 'edu_resources.assignment_id', 'assignment_attachments.assignment_id')
    .innerJoin('assignments', 'assignments.id', 'assignment_attachments.assignment_id')
    .where('assignment_attachments.score_id', '=', p('score'))
    .where('edu_resources.privacy', '<>', 'private')
    .select('assignments.title')
    .distinct()
    .orderBy('assignments.title')
    .limit(sql.lit(most)),
)
