import { Storage } from '../../../contract/account.ts'
import { operation } from '../../../operation.ts'
import { isAdministrator } from '../organizations/policy.ts'
import { findOrganization } from '../organizations/store.ts'
import { loadOwnAccount } from '../users/own-account.ts'
import { storageOfAccount, storageOfOrganization } from './quota.ts'

export const getStorage = operation({
  id: 'getStorage',
  accepts: 'session',
  tag: 'Account',
  summary: 'Get the storage that the account uses, and for an administrator that of the organization',
  responses: { 200: Storage },
  async handle({ ctx, actor }) {
    const queries = ctx.db.read
    const user = await loadOwnAccount(queries, actor)
    const organization =
      user.organization_id !== null && isAdministrator(actor)
        ? await findOrganization(queries, user.organization_id)
        : undefined
    return {
      account: await storageOfAccount(ctx, queries, user),
      organization: organization ? await storageOfOrganization(ctx, queries, organization) : null,
    }
  },
})
