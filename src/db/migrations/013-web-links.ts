import type { Migration } from '../migrate.ts'

/** What services on the web say of addresses that people have attached. */
export const createWebLinks: Migration = {
  name: '013-web-links',
  async up({ createTable, types }) {
    await createTable('web_links')
      .addColumn('url', types.key, (column) => column.primaryKey())
      .addColumn('facts', types.text, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()
  },
}
