import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What a score says of its newest revision, for every revision: a copy can be of any. Null for those that are older than this. */
export const extendRevisions: Migration = {
  name: '021-revision-facts',
  async up({ db, types }) {
    const revisions = db.schema.alterTable('score_revisions')
    await revisions.addColumn('instruments', types.text).execute()
    await revisions.addColumn('measures', types.integer).execute()
    await revisions.addColumn('tempo_qpm', types.real).execute()
    await revisions.addColumn('key_fifths', types.integer).execute()
    await sql`
      update score_revisions set instruments = scores.instruments, measures = scores.measures,
        tempo_qpm = scores.tempo_qpm, key_fifths = scores.key_fifths
      from scores where scores.last_revision_id = score_revisions.id`.execute(db)
  },
}
