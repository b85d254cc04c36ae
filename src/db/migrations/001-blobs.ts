import type { Migration } from '../migrate.ts'

export const createBlobs: Migration = {
  name: '001-blobs',
  async up({ types, createTable }) {
    await createTable('blobs')
      .addColumn('hash', types.key, (column) => column.primaryKey())
      .addColumn('size', types.integer, (column) => column.notNull())
      .addColumn('compression', types.text, (column) => column.notNull())
      .addColumn('content', types.bytes)
      .addColumn('file', types.text)
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('unused_since', types.integer)
      .execute()
  },
}
