import type { Tables } from '../db/tables.ts'

/** A column that holds the hash of a blob. By name it is `blob`, or ends in `_blob`. */
export interface BlobReference {
  readonly table: string
  readonly column: string
}

type Reference = { [Table in keyof Tables]: { table: Table; column: keyof Tables[Table] & string } }[keyof Tables]

/** Every such column of the database. A blob that none of them names is swept; a test compares this with the tables. */
export const blobReferences: readonly BlobReference[] = [
  { table: 'score_revisions', column: 'document_blob' },
  { table: 'score_revisions', column: 'source_blob' },
  { table: 'score_exports', column: 'blob' },
  { table: 'tasks', column: 'source_blob' },
  { table: 'tasks', column: 'result_blob' },
] satisfies Reference[]
