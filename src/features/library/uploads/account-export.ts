import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'recordings.json': {
    description:
      'The recordings that you have uploaded. Those of tracks are in `recordings/`, under their ids.',
    query: (queries, user, after) =>
      queries
        .selectFrom('recording_files')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'track_id', 'media_type', 'size', 'received', 'created_at']),
    details: async (queries, key) => ({
      parts: await queries
        .selectFrom('recording_parts')
        .where('file_id', '=', key)
        .select(['start', 'size'])
        .orderBy('start')
        .execute(),
    }),
  },
}
