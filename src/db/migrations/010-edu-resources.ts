import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Libraries: folders, and assignments that belong to no class. */
export const createEduResources: Migration = {
  name: '010-edu-resources',
  async up({ createTable, db, types }) {
    await createTable('edu_resources')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('type', types.key, (column) => column.notNull())
      // Of one of the two, or of neither: then it came with Partita.
      .addColumn('user_id', types.key, (column) => column.references('users.id'))
      .addColumn('organization_id', types.key, (column) => column.references('organizations.id'))
      .addColumn('parent_id', types.key, (column) => column.references('edu_resources.id').onDelete('cascade'))
      // What lists are read by: the folder, or whose library it is where it lies in none.
      .addColumn('place', types.key, (column) => column.notNull())
      .addColumn('creator_id', types.key)
      .addColumn('privacy', types.key, (column) => column.notNull())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('title_key', types.key, (column) => column.notNull())
      .addColumn('description', types.text)
      .addColumn('description_html', types.text)
      .addColumn('subjects', types.integer, (column) => column.notNull())
      .addColumn('grades', types.integer, (column) => column.notNull())
      .addColumn('assignment_id', types.key, (column) => column.references('assignments.id'))
      .addColumn('assignment_type', types.key)
      .addColumn('copied_from', types.key)
      .addColumn('content_version', types.integer)
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('updated_at', types.integer, (column) => column.notNull())
      .execute()
    for (const key of ['created_at', 'updated_at', 'title_key']) {
      await db.schema
        .createIndex(`edu_resources_by_place_and_${key}`)
        .on('edu_resources')
        .columns(['place', key, 'id'])
        .execute()
      await db.schema
        .createIndex(`edu_resources_by_organization_and_${key}`)
        .on('edu_resources')
        .columns(['organization_id', key, 'id'])
        .where(sql<boolean>`organization_id is not null`)
        .execute()
    }
    for (const column of ['user_id', 'parent_id', 'creator_id', 'copied_from']) {
      await db.schema.createIndex(`edu_resources_by_${column}`).on('edu_resources').column(column).execute()
    }
    await db.schema
      .createIndex('edu_resources_by_assignment')
      .unique()
      .on('edu_resources')
      .column('assignment_id')
      .execute()

    await createTable('demo_classes')
      .addColumn('user_id', types.key, (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('class_id', types.key, (column) => column.notNull().references('classes.id').onDelete('cascade'))
      .execute()
    await db.schema.createIndex('demo_classes_by_class').on('demo_classes').column('class_id').execute()
  },
}
