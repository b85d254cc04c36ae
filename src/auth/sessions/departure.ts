import type { Departure } from '../../departure.ts'
import { revokeDelegation, revokeAllSignIns } from './revocation.ts'
import { deletePasswordResetsOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const sessionsDeparture: Departure = {
  feature: 'auth/sessions',
  exports: accountExport,
  onMemberRemoved: { finish: (ctx, tx, { user }) => revokeAllSignIns(ctx, tx, user) },
  onMemberLeft: {
    async finish(ctx, tx, { user }) {
      await deletePasswordResetsOf(tx, user)
      await revokeDelegation(ctx, tx, user)
    },
  },
  // The role decides who may act as the user, and as whom the user may act.
  onRoleChanged: { finish: (ctx, tx, { user }) => revokeDelegation(ctx, tx, user) },
  erase: { finish: (ctx, tx, { user }) => revokeAllSignIns(ctx, tx, user) },
}
