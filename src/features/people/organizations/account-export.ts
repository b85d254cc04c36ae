import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'invitations.json': {
    description: 'The invitations to your organization that you have created.',
    query: (queries, user, after) =>
      queries
        .selectFrom('invitations')
        .where('invited_by', '=', user)
        .where('id', '>', after)
        .select([
          'id',
          'id as key',
          'organization_id',
          'role',
          'email',
          'allows_multiple_use',
          'created_at',
          'used_at',
        ]),
  },
  'invitations-used.json': {
    description: 'The invitations that you have used.',
    query: (queries, user, after) =>
      queries
        .selectFrom('invitation_uses')
        .where('user_id', '=', user)
        .where('invitation_id', '>', after)
        .select(['invitation_id as id', 'invitation_id as key', 'created_at as used_at']),
  },
}
