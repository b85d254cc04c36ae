import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'webhooks.json': {
    description: 'The addresses to which you let the server send what happens, without their secrets.',
    query: (queries, user, after) =>
      queries
        .selectFrom('webhook_endpoints')
        .where((eb) => eb.or([eb('user_id', '=', user), eb('created_by', '=', user)]))
        .where('id', '>', after)
        .select(['id', 'id as key', 'url', 'types', 'off_reason', 'created_at']),
  },
}
