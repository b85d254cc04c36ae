import { expect, it } from 'vitest'
import { keepRevision, keptRevisions } from './kept-revisions.ts'
import type { RevisionRow } from './revisions.store.ts'

const revision: RevisionRow = {
  id: 'r1',
  score_id: 's1',
  user_id: 'u1',
  description: null,
  autosave: 0,
  import_warnings: null,
  notes_added: 0,
  notes_deleted: 0,
  begun_at: 0,
  created_at: 0,
  document_blob: 'blob',
  part_uuids: '[]',
  duration: 1,
  measures: 1,
}
const long = 'x'.repeat(5 * 1024 * 1024)

it.each(['description', 'import_warnings', 'part_uuids'] as const)(
  'kept revisions count the bytes of %s',
  (column) => {
    const kept = keptRevisions()
    keepRevision(kept, revision)
    keepRevision(kept, { ...revision, id: 'r2', [column]: long })
    expect(kept.get('r1')).toBe(revision)
    expect(kept.get('r2')).toBeUndefined()
  },
)
