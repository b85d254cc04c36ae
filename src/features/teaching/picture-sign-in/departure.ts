import type { Departure } from '../../../departure.ts'
import { endPinSessions } from '../../../auth/sessions/revocation.ts'
import { accountExport } from './account-export.ts'
import { closeClassSignIn } from './pins.ts'
import { deletePins } from './store.ts'

/** A PIN belongs to a student in a class. It ends when one of the two does. */
export const pictureSignInDeparture: Departure = {
  feature: 'teaching/picture-sign-in',
  exports: accountExport,
  onMemberRemoved: { finish: (_ctx, tx, { user }) => deletePins(tx, { user }) },
  onMemberLeft: {
    async finish(ctx, tx, { user }) {
      await deletePins(tx, { user })
      await endPinSessions(ctx, tx, [user])
    },
  },
  onRoleChanged: {
    async finish(ctx, tx, { user, role }) {
      if (role === 'user') return
      await deletePins(tx, { user })
      await endPinSessions(ctx, tx, [user])
    },
  },
  onClassLeft: {
    async finish(ctx, tx, { user, schoolClass }) {
      await deletePins(tx, { class: schoolClass.id, user })
      await endPinSessions(ctx, tx, [user])
    },
  },
  onClassStateChanged: {
    async finish(ctx, tx, { schoolClass }) {
      if (schoolClass.state === 'archived')
        await closeClassSignIn(ctx, tx, { class: schoolClass.id, by: null })
    },
  },
}
