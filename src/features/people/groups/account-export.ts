import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'groups.json': {
    description: 'The groups that you are in, and since when.',
    query: (queries, user, after) =>
      queries
        .selectFrom('group_members')
        .innerJoin('groups', 'groups.id', 'group_members.group_id')
        .where('group_members.user_id', '=', user)
        .where('groups.id', '>', after)
        .select(['groups.id', 'groups.id as key', 'groups.name', 'groups.type', 'groups.class_id'])
        .select('group_members.created_at as joined_at'),
  },
}
