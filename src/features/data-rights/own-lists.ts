import type { Queries } from '../../db/database.ts'
import { portionSize, type ReadPortion } from './store.ts'

/** Lists of the export that are rows of one table and nothing more. No column of a secret or of its hash is among them. */
export const ownLists: Readonly<Record<string, { says: string; read: ReadPortion }>> = {
  'address-to-be-shown.json': {
    says: 'The address that you have asked for, until you use the link that was sent there.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('email_verifications')
          .where('user_id', '=', user)
          .where('user_id', '>', after)
          .select(['user_id as key', 'email', 'expires_at']),
      ),
  },
  'apps.json': {
    says: 'The apps that you have registered.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('apps')
          .where('owner_id', '=', user)
          .where('id', '>', after)
          .select(['id', 'id as key', 'name', 'created_at']),
      ),
  },
  'authorizations.json': {
    says: 'What you have allowed apps.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('authorizations')
          .innerJoin('apps', 'apps.id', 'authorizations.app_id')
          .where('authorizations.user_id', '=', user)
          .where('authorizations.id', '>', after)
          .select(['authorizations.id', 'authorizations.id as key', 'app_id', 'apps.name as app_name', 'scopes'])
          .select(['authorizations.created_at', 'expires_at']),
      ),
  },
  'classes.json': {
    says: 'The classes that you own, and those in which you teach or learn.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('classes')
          .where((eb) =>
            eb.or([
              eb('owner_id', '=', user),
              eb(
                'id',
                'in',
                eb
                  .selectFrom('groups')
                  .innerJoin('group_members', 'group_members.group_id', 'groups.id')
                  .where('group_members.user_id', '=', user)
                  .where('groups.class_id', 'is not', null)
                  .select((of) => of.ref('groups.class_id').$notNull().as('class')),
              ),
            ]),
          )
          .where('id', '>', after)
          .select(['id', 'id as key', 'name', 'section', 'level', 'state', 'owner_id', 'created_at']),
      ),
  },
  'comments.json': {
    says: 'What you have written about scores.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('score_comments')
          .where('user_id', '=', user)
          .where('id', '>', after)
          .select(['id', 'id as key', 'score_id', 'revision_id', 'reply_to', 'comment', 'raw_comment', 'context'])
          .select(['hidden', 'created_at', 'modified_at']),
      ),
  },
  'comments-on-work.json': {
    says: 'What you have written about what students have handed in.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('submission_comments')
          .where('user_id', '=', user)
          .where('id', '>', after)
          .select(['id', 'id as key', 'submission_id', 'comment', 'created_at', 'modified_at']),
      ),
  },
  'groups.json': {
    says: 'The groups that you are in, and since when.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('group_members')
          .innerJoin('groups', 'groups.id', 'group_members.group_id')
          .where('group_members.user_id', '=', user)
          .where('groups.id', '>', after)
          .select(['groups.id', 'groups.id as key', 'groups.name', 'groups.type', 'groups.class_id'])
          .select('group_members.created_at as joined_at'),
      ),
  },
  'invitations.json': {
    says: 'The invitations to your organization that you have made.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('invitations')
          .where('invited_by', '=', user)
          .where('id', '>', after)
          .select([
            'id',
            'id as key',
            'organization_id',
            'role',
            'email',
            'allows_multiple_use',
            'created_at',
            'used_at',
          ]),
      ),
  },
  'invitations-used.json': {
    says: 'The invitations by which you came.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('invitation_uses')
          .where('user_id', '=', user)
          .where('invitation_id', '>', after)
          .select(['invitation_id as id', 'invitation_id as key', 'created_at as used_at']),
      ),
  },
  'library.json': {
    says: 'Your own library, and what you have put into that of your organization.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('edu_resources')
          .where((eb) => eb.or([eb('user_id', '=', user), eb('creator_id', '=', user)]))
          .where('id', '>', after)
          .select(['id', 'id as key', 'type', 'parent_id', 'organization_id', 'privacy', 'title', 'description'])
          .select(['assignment_id', 'created_at', 'updated_at']),
      ),
  },
  'likes.json': {
    says: 'The scores that you like.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('score_likes')
          .innerJoin('scores', 'scores.id', 'score_likes.score_id')
          .where('score_likes.user_id', '=', user)
          .where('score_likes.score_id', '>', after)
          .select(['score_likes.score_id as id', 'score_likes.score_id as key', 'scores.title'])
          .select('score_likes.created_at'),
      ),
  },
  'revisions.json': {
    says: 'The revisions that you have saved of scores of others.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('score_revisions')
          .innerJoin('scores', 'scores.id', 'score_revisions.score_id')
          .where('score_revisions.user_id', '=', user)
          .where('scores.owner_id', '!=', user)
          .where('score_revisions.id', '>', after)
          .select(['score_revisions.id', 'score_revisions.id as key', 'score_revisions.score_id', 'scores.title'])
          .select(['score_revisions.description', 'score_revisions.created_at']),
      ),
  },
  'second-factor.json': {
    says: 'Since when you sign in by a code as well as by the password, where you do.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('second_factors')
          .where('user_id', '=', user)
          .where('confirmed_at', 'is not', null)
          .where('user_id', '>', after)
          .select(['user_id as key', 'confirmed_at as created_at']),
      ),
  },
  'sessions.json': {
    says: 'When you have signed in with a browser, of the sessions that still hold.',
    read: async (queries, user, after) => (after === '' ? listSessions(queries, user) : []),
  },
  'shared-with-you.json': {
    says: 'The scores and collections that others have shared with you.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('grants')
          .leftJoin('scores', 'scores.id', 'grants.score_id')
          .leftJoin('collections', 'collections.id', 'grants.collection_id')
          .where('grants.user_id', '=', user)
          .where('grants.id', '>', after)
          .select(['grants.id', 'grants.id as key', 'grants.score_id', 'grants.collection_id', 'grants.level'])
          .select(['scores.title as score_title', 'collections.title as collection_title', 'grants.created_at']),
      ),
  },
  'sign-in-elsewhere.json': {
    says: 'Who you are at the provider by which your organization signs you in, and since when.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('provider_accounts')
          .where('user_id', '=', user)
          .where('provider', '>', after)
          .select(['provider', 'provider as key', 'subject', 'created_at']),
      ),
  },
  'tasks.json': {
    says: 'What was lately imported and exported for you.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('tasks')
          .where('user_id', '=', user)
          .where('id', '>', after)
          .select(['id', 'id as key', 'type', 'format', 'score_id', 'result_name', 'created_at']),
      ),
  },
  'tokens.json': {
    says: 'Your tokens and those of apps that act for you: what they are called and allow, not what they are.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('access_tokens')
          .where('user_id', '=', user)
          .where('id', '>', after)
          .select([
            'id',
            'id as key',
            'name',
            'app_id',
            'scopes',
            'created_at',
            'expires_at',
            'last_used_at',
            'created_by',
          ]),
      ),
  },
  'tracks.json': {
    says: 'The recordings that you have added to scores: their addresses, since they are kept elsewhere.',
    read: (queries, user, after) =>
      paged(
        queries
          .selectFrom('score_tracks')
          .where('creator_id', '=', user)
          .where('id', '>', after)
          .select(['id', 'id as key', 'score_id', 'title', 'type', 'url', 'media_id', 'purpose', 'state', 'points'])
          .select(['created_at', 'modified_at']),
      ),
  },
}

/** The next of them by their key. */
function paged<Row>(query: {
  orderBy(column: 'key'): { limit(count: number): { execute(): Promise<Row[]> } }
}): Promise<Row[]> {
  return query.orderBy('key').limit(portionSize).execute()
}

/** Their keys are hashes of secrets, so they are read at once; they are few, and end in two weeks. */
async function listSessions(queries: Queries, user: string) {
  const rows = await queries
    .selectFrom('sessions')
    .where('user_id', '=', user)
    .select(['created_at', 'expires_at'])
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ ...row, key: '~' }))
}
