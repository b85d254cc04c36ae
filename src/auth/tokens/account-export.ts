import type { AccountExport } from '../../departure.ts'

export const accountExport: AccountExport = {
  'authorizations.json': {
    description: 'The apps that you have given access, and the scopes of each.',
    query: (queries, user, after) =>
      queries
        .selectFrom('authorizations')
        .innerJoin('apps', 'apps.id', 'authorizations.app_id')
        .where('authorizations.user_id', '=', user)
        .where('authorizations.id', '>', after)
        .select([
          'authorizations.id',
          'authorizations.id as key',
          'app_id',
          'apps.name as app_name',
          'scopes',
        ])
        .select(['authorizations.created_at', 'expires_at']),
  },
  'tokens.json': {
    description:
      'Your tokens and the tokens of apps that act for you: their names and scopes, not the tokens themselves.',
    query: (queries, user, after) =>
      queries
        .selectFrom('access_tokens')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select([
          'id',
          'id as key',
          'name',
          'app_id',
          'scopes',
          'created_at',
          'expires_at',
          'last_used_at',
          'created_by',
        ]),
  },
}
