import type { Departure } from '../../../departure.ts'
import { classRoleOf } from '../classes/policy.ts'
import { accountExport } from './account-export.ts'
import { deleteAllSaved } from './store.ts'

/** An account that cannot teach any more has no saved comments: it could neither see nor delete them. */
export const savedCommentsDeparture: Departure = {
  feature: 'teaching/saved-comments',
  exports: accountExport,
  onMemberLeft: { finish: (_ctx, tx, { user }) => deleteAllSaved(tx, user) },
  onRoleChanged: {
    async finish(_ctx, tx, { user, role }) {
      if (classRoleOf(role) === 'student') await deleteAllSaved(tx, user)
    },
  },
}
