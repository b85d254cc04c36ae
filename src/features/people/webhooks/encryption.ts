import type { SecretRows } from '../../../platform/secrets/secret-rows.ts'
import { type Endpoint, listEndpointsAfter, updateEndpoint } from './endpoints.store.ts'
import { sealedAgain } from './secrets.ts'

/** The secrets of all webhooks. */
export const webhookSecrets: SecretRows<Endpoint> = {
  list: listEndpointsAfter,
  keyOf: ({ id }) => id,
  async encrypt(secrets, tx, row) {
    const change = sealedAgain({ secrets }, row)
    if (change) await updateEndpoint(tx, row.id, change)
    return change !== undefined
  },
}
