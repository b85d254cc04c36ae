import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'
import { deleteNotificationsOf } from './store.ts'

export const notificationsDeparture: Departure = {
  feature: 'people/notifications',
  exports: accountExport,
  onMemberLeft: { finish: (_ctx, tx, { user }) => deleteNotificationsOf(tx, user) },
  onRoleChanged: {
    async finish(_ctx, tx, { user, leftGroups }) {
      for (const { class_id } of leftGroups) await deleteNotificationsOf(tx, user, class_id)
    },
  },
  onClassLeft: {
    finish: (_ctx, tx, { user, schoolClass }) => deleteNotificationsOf(tx, user, schoolClass.id),
  },
}
