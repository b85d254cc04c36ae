import type { Departure } from '../../../departure.ts'
import { listGroupIds } from '../../people/groups/store.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import { accountExport } from './account-export.ts'
import { deleteWorkOf, updateWorkAccess, transferGroupWork } from './removal.ts'
import { listGroupWork } from './group-work.store.ts'

export const submissionsDeparture: Departure = {
  feature: 'teaching/submissions',
  exports: accountExport,
  onMemberRemoved: {
    // The account may be restored, but the group does not wait for that.
    async transfer(ctx, tx, { user }) {
      await transferGroupWork(ctx, tx, user, (await listGroupIds(tx, [user])).get(user) ?? [])
    },
  },
  onMemberLeft: { withdraw: (ctx, tx, { user }) => deleteWorkOf(ctx, tx, user) },
  onRoleChanged: {
    async finish(ctx, tx, { user, leftGroups }) {
      const groups = leftGroups.map(({ id }) => id)
      await transferGroupWork(ctx, tx, user, groups)
    },
  },
  onClassLeft: { withdraw: (ctx, tx, { user, schoolClass }) => deleteWorkOf(ctx, tx, user, schoolClass.id) },
  onClassStateChanged: {
    async finish(ctx, tx, { schoolClass, before }) {
      if (isReadOnly(schoolClass.state) === isReadOnly(before)) return
      await updateWorkAccess(ctx, tx, await listGroupWork(tx, { class: schoolClass.id }))
    },
  },
  erase: { withdraw: (ctx, tx, { user }) => deleteWorkOf(ctx, tx, user) },
}
