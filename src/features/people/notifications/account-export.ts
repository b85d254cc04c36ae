import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'notifications.json': {
    description: 'What you were told about the work of your classes in the last 90 days.',
    query: (queries, user, after) =>
      queries
        .selectFrom('notifications')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'kind', 'class_id', 'assignment_id', 'submission_id'])
        .select(['created_at', 'read_at']),
  },
  'notification-mails.json': {
    description: 'How often you get mails about notifications, if you have chosen it or got one.',
    query: (queries, user, after) =>
      queries
        .selectFrom('notification_mails')
        .where('user_id', '=', user)
        .where('user_id', '>', after)
        .select(['user_id as key', 'frequency']),
  },
}
