import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'library.json': {
    description: 'Your own library, and what you have put into the library of your organization.',
    query: (queries, user, after) =>
      queries
        .selectFrom('edu_resources')
        .where((eb) => eb.or([eb('user_id', '=', user), eb('creator_id', '=', user)]))
        .where('id', '>', after)
        .select([
          'id',
          'id as key',
          'type',
          'parent_id',
          'organization_id',
          'privacy',
          'title',
          'description',
        ])
        .select(['assignment_id', 'created_at', 'updated_at']),
  },
}
