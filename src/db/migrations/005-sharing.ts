import { sql } from 'kysely'
import { sortKey } from '../../lib/sort-key.ts'
import type { Migration, MigrationTools } from '../migrate.ts'

/** Who may do what with scores and collections of others, and what people say of a score. */
export const createSharing: Migration = {
  name: '005-sharing',
  async up(tools) {
    await extendUsers(tools)
    await createGroups(tools)
    await extendScores(tools)
    await extendCollections(tools)
    await createGrants(tools)
    await createLikesAndPlays(tools)
    await createComments(tools)
    await createTracks(tools)
  },
}

async function extendUsers({ db, types }: MigrationTools): Promise<void> {
  await db.schema.alterTable('users').addColumn('email_key', types.key).execute()
  await db.schema
    .alterTable('users')
    .addColumn('email_vouched', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('users_by_email_key').on('users').column('email_key').execute()
  // Until now, every address was given by who keeps the accounts, and none was verified by mail.
  await sql`update users set email_vouched = email_verified, email_verified = 0`.execute(db)
  type Users = { users: { id: string; email: string | null; email_key: string | null } }
  const users = db.withTables<Users>()
  for (const { id, email } of await users.selectFrom('users').select(['id', 'email']).execute()) {
    if (email) await users.updateTable('users').set({ email_key: email.toLowerCase() }).where('id', '=', id).execute()
  }
}

async function createGroups({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('groups')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('organization_id', types.key, (column) => column.notNull().references('organizations.id'))
    .addColumn('type', types.key, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_key', types.key, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('groups_by_organization').on('groups').columns(['organization_id', 'name_key']).execute()
  await createTable('group_members')
    .addColumn('group_id', types.key, (column) => column.notNull().references('groups.id').onDelete('cascade'))
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('group_members_key', ['group_id', 'user_id'])
    .execute()
  await db.schema.createIndex('group_members_by_user').on('group_members').columns(['user_id', 'group_id']).execute()
}

async function extendScores({ db, types }: MigrationTools): Promise<void> {
  for (const count of ['likes', 'comments', 'plays', 'grants']) {
    await db.schema
      .alterTable('scores')
      .addColumn(count, types.integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
  // What one has shared with others, among all that one has.
  await db.schema
    .createIndex('scores_shared_by_owner')
    .on('scores')
    .column('owner_id')
    .where(sql<boolean>`grants > 0`)
    .execute()
  await db.schema
    .alterTable('scores')
    .addColumn('search_key', types.text, (column) => column.notNull().defaultTo(''))
    .execute()
  type Scores = { scores: Record<'id' | 'title' | 'instruments', string> & { search_key: string } & Credits }
  type Credits = Record<'subtitle' | 'composer' | 'lyricist' | 'arranger', string | null>
  const scores = db.withTables<Scores>()
  for (let last = ''; ; ) {
    const rows = await scores
      .selectFrom('scores')
      .select(['id', 'title', 'subtitle', 'composer', 'lyricist', 'arranger', 'instruments'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(1000)
      .execute()
    for (const { id, ...texts } of rows) {
      const key = Object.values(texts).flatMap((text) => (text ? [sortKey(text)] : []))
      await scores
        .updateTable('scores')
        .set({ search_key: key.join('\n') })
        .where('id', '=', id)
        .execute()
    }
    if (rows.length < 1000) break
    last = rows.at(-1)?.id ?? ''
  }
}

async function extendCollections({ db, types }: MigrationTools): Promise<void> {
  await db.schema.alterTable('collections').addColumn('deletion_at', types.integer).execute()
  await db.schema
    .alterTable('collections')
    .addColumn('grants', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createIndex('collections_by_deletion_at')
    .on('collections')
    .columns(['deletion_at', 'id'])
    .where('deletion_at', 'is not', null)
    .execute()
  // What is in the trash is a list of its own.
  const [isKept, isTrashed] = [sql<boolean>`deletion_at is null`, sql<boolean>`deletion_at is not null`]
  for (const key of ['created_at', 'modified_at', 'title_key']) {
    await db.schema.dropIndex(`collections_by_user_and_${key}`).execute()
    for (const [name, where] of [
      ['collections', isKept],
      ['trashed_collections', isTrashed],
    ] as const) {
      const index = db.schema.createIndex(`${name}_by_user_and_${key}`).on('collections')
      await index.columns(['user_id', key, 'id']).where(where).execute()
    }
  }
  // An app has another one when its first is in the trash.
  await db.schema.dropIndex('collections_by_app').execute()
  await db.schema
    .createIndex('collections_by_app')
    .unique()
    .on('collections')
    .columns(['user_id', 'app'])
    .where(isKept)
    .execute()
  await db.schema
    .alterTable('collection_scores')
    .addColumn('added_by', types.key, (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema.alterTable('collection_scores').addColumn('sharing_key', types.key).execute()
  await sql`
    update collection_scores
    set added_by = (select user_id from collections where collections.id = collection_scores.collection_id)
  `.execute(db)
  // So that the collections of a score are read off the index alone.
  await db.schema.dropIndex('collection_scores_by_score').execute()
  await db.schema
    .createIndex('collection_scores_by_score')
    .on('collection_scores')
    .columns(['score_id', 'added_by', 'collection_id'])
    .execute()
}

async function createGrants({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('grants')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('score_id', types.key, (column) => column.references('scores.id').onDelete('cascade'))
    .addColumn('collection_id', types.key, (column) => column.references('collections.id').onDelete('cascade'))
    .addColumn('user_id', types.key, (column) => column.references('users.id'))
    .addColumn('group_id', types.key, (column) => column.references('groups.id').onDelete('cascade'))
    .addColumn('email', types.text)
    .addColumn('email_key', types.key)
    .addColumn('level', types.integer, (column) => column.notNull())
    .addColumn('created_by', types.key, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  // Each holder has one grant on a thing at most: of two who give it at once, the second changes the first's.
  for (const thing of ['score_id', 'collection_id'] as const) {
    for (const holder of ['user_id', 'group_id', 'email_key'] as const) {
      await db.schema
        .createIndex(`grants_by_${thing}_and_${holder}`)
        .unique()
        .on('grants')
        .columns([thing, holder])
        .execute()
    }
  }
  for (const holder of ['user_id', 'group_id', 'email_key'] as const) {
    await db.schema.createIndex(`grants_by_${holder}`).on('grants').columns([holder, 'score_id', 'level']).execute()
  }
}

async function createLikesAndPlays({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('score_likes')
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id'))
    .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('score_likes_key', ['user_id', 'score_id'])
    .execute()
  await db.schema
    .createIndex('score_likes_by_time')
    .on('score_likes')
    .columns(['user_id', 'created_at', 'score_id'])
    .execute()
  await db.schema.createIndex('score_likes_by_score').on('score_likes').column('score_id').execute()

  await createTable('score_plays')
    .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
    .addColumn('viewer', types.key, (column) => column.notNull())
    .addColumn('hour', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('score_plays_key', ['score_id', 'viewer', 'hour'])
    .execute()
  await db.schema.createIndex('score_plays_by_hour').on('score_plays').column('hour').execute()
}

async function createComments({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('score_comments')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
    .addColumn('revision_id', types.key, (column) => column.notNull())
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id'))
    .addColumn('reply_to', types.key, (column) => column.references('score_comments.id').onDelete('cascade'))
    .addColumn('comment', types.text, (column) => column.notNull())
    .addColumn('raw_comment', types.text, (column) => column.notNull())
    .addColumn('mentions', types.text, (column) => column.notNull())
    .addColumn('context', types.text)
    .addColumn('resolved_by', types.key)
    .addColumn('hidden', types.key)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('modified_at', types.integer)
    .execute()
  await db.schema.createIndex('score_comments_by_score').on('score_comments').columns(['score_id', 'id']).execute()
  await db.schema.createIndex('score_comments_by_reply_to').on('score_comments').column('reply_to').execute()
  await db.schema.createIndex('score_comments_by_user').on('score_comments').column('user_id').execute()
}

async function createTracks({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('score_tracks')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
    .addColumn('creator_id', types.key, (column) => column.notNull().references('users.id'))
    .addColumn('title', types.text)
    .addColumn('type', types.key, (column) => column.notNull())
    .addColumn('url', types.text, (column) => column.notNull())
    .addColumn('media_id', types.text)
    .addColumn('purpose', types.key, (column) => column.notNull())
    .addColumn('state', types.key, (column) => column.notNull())
    .addColumn('is_default', types.integer, (column) => column.notNull())
    .addColumn('points', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('modified_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('score_tracks_by_score').on('score_tracks').columns(['score_id', 'id']).execute()
  await db.schema.createIndex('score_tracks_by_creator').on('score_tracks').column('creator_id').execute()
  // Of a score, one at most is played when none is named.
  await db.schema
    .createIndex('score_tracks_default')
    .unique()
    .on('score_tracks')
    .column('score_id')
    .where(sql<boolean>`is_default = 1`)
    .execute()
}
