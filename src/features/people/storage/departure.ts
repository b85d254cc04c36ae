import type { Departure } from '../../../departure.ts'
import { changeOrganization } from './quota.ts'
import { deleteAccountBytes } from './store.ts'

export const storageDeparture: Departure = {
  feature: 'people/storage',
  onMemberLeft: {
    finish: (_ctx, tx, { user, organization }) =>
      changeOrganization(tx, user, { organization, joins: false }),
  },
  erase: {
    async finish(_ctx, tx, { user, organization }) {
      if (organization !== null) await changeOrganization(tx, user, { organization, joins: false })
      await deleteAccountBytes(tx, user)
    },
  },
}
