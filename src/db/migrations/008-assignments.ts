import { sql } from 'kysely'
import type { Migration, MigrationTools } from '../migrate.ts'

/** What teachers ask of their students, and the access to scores that follows from it. */
export const createAssignments: Migration = {
  name: '008-assignments',
  async up(tools) {
    await createAssignmentTables(tools)
    await createAssignees(tools)
    await extendGrants(tools)
  },
}

async function createAssignmentTables({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('assignments')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('class_id', types.key, (column) => column.references('classes.id').onDelete('cascade'))
    .addColumn('creator_id', types.key, (column) => column.notNull().references('users.id'))
    .addColumn('state', types.key, (column) => column.notNull())
    .addColumn('type', types.key, (column) => column.notNull())
    .addColumn('title', types.text, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('description_html', types.text)
    .addColumn('teacher_instructions', types.text)
    .addColumn('teacher_instructions_html', types.text)
    .addColumn('max_points', types.real)
    .addColumn('release_grades', types.key)
    .addColumn('students_mode', types.key, (column) => column.notNull())
    .addColumn('assignee_mode', types.key, (column) => column.notNull())
    .addColumn('scheduled_at', types.integer)
    .addColumn('due_at', types.integer)
    .addColumn('options', types.text, (column) => column.notNull())
    .addColumn('rubric', types.text)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('modified_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('assignments_by_class').on('assignments').columns(['class_id', 'id']).execute()
  await db.schema.createIndex('assignments_by_creator').on('assignments').column('creator_id').execute()

  await createTable('assignment_attachments')
    .addColumn('assignment_id', types.key, (column) =>
      column.notNull().references('assignments.id').onDelete('cascade'),
    )
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('type', types.key, (column) => column.notNull())
    .addColumn('score_id', types.key, (column) => column.references('scores.id').onDelete('cascade'))
    .addColumn('revision_id', types.key)
    .addColumn('part_uuid', types.key)
    .addColumn('sharing_mode', types.key)
    .addColumn('lock_score_template', types.integer, (column) => column.notNull())
    .addColumn('worksheet', types.text)
    .addColumn('url', types.key)
    .addColumn('google_drive_file_id', types.text)
    .addColumn('teacher_only', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('assignment_attachments_key', ['assignment_id', 'position'])
    .execute()
  await db.schema
    .createIndex('assignment_attachments_by_score')
    .on('assignment_attachments')
    .column('score_id')
    .execute()
}

async function createAssignees({ createTable, db, types }: MigrationTools): Promise<void> {
  for (const [table, column, whose] of [
    ['assignment_students', 'user_id', 'users.id'],
    ['assignment_groups', 'group_id', 'groups.id'],
  ] as const) {
    await createTable(table)
      .addColumn('assignment_id', types.key, (to) => to.notNull().references('assignments.id').onDelete('cascade'))
      .addColumn(column, types.key, (to) => to.notNull().references(whose).onDelete('cascade'))
      .addPrimaryKeyConstraint(`${table}_key`, ['assignment_id', column])
      .execute()
    await db.schema.createIndex(`${table}_by_${column}`).on(table).columns([column, 'assignment_id']).execute()
  }
}

/** A holder has one grant on a score that was given by hand, and one from each assignment that the score is attached to. */
async function extendGrants({ db, types }: MigrationTools): Promise<void> {
  await db.schema
    .alterTable('grants')
    .addColumn('assignment_id', types.key, (column) => column.references('assignments.id').onDelete('cascade'))
    .execute()
  const byHand = sql<boolean>`assignment_id is null`
  for (const holder of ['user_id', 'group_id'] as const) {
    const name = `grants_by_score_id_and_${holder}`
    await db.schema.dropIndex(name).execute()
    await db.schema.createIndex(name).on('grants').columns(['score_id', holder]).execute()
    await db.schema
      .createIndex(`${name}_by_hand`)
      .unique()
      .on('grants')
      .columns(['score_id', holder])
      .where(byHand)
      .execute()
    await db.schema
      .createIndex(`grants_by_assignment_id_and_${holder}`)
      .unique()
      .on('grants')
      .columns(['assignment_id', 'score_id', holder])
      .where(sql<boolean>`assignment_id is not null and ${sql.ref(holder)} is not null`)
      .execute()
  }
}
