import type { Tables } from '../db/tables.ts'

/** A column that has the hash of a blob. Its name is `blob` or ends in `_blob`. */
export interface BlobReference {
  readonly table: string
  readonly column: string
}

type Reference = {
  [Table in keyof Tables]: { table: Table; column: keyof Tables[Table] & string }
}[keyof Tables]

/** All columns that refer to blobs. A blob without a reference is swept. A test compares this list with the tables. */
export const blobReferences: readonly BlobReference[] = [
  { table: 'score_revisions', column: 'document_blob' },
  { table: 'score_revisions', column: 'source_blob' },
  { table: 'score_exports', column: 'blob' },
  { table: 'tasks', column: 'source_blob' },
  { table: 'recording_parts', column: 'part_blob' },
] satisfies Reference[]

/** The references to blobs that cannot be made again. Backups contain only the files of these. */
export const originalReferences = blobReferences.filter(({ table }) => table !== 'score_exports')
