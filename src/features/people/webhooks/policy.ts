import type { Actor } from '../../../actor.ts'
import { fail } from '../../../errors.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { Audience } from '../events/store.ts'
import { isAdministrator } from '../organizations/policy.ts'
import { type Endpoint, findEndpoint } from './endpoints.store.ts'

/** Returns whose endpoints the actor manages: the own, and those of the organization for an administrator. */
export const audiencesOf = (actor: Actor): Audience[] => [
  { user: actor.id },
  ...(isAdministrator(actor) && actor.organization ? [{ organization: actor.organization }] : []),
]

const canManage = (actor: Actor, { user_id, organization_id }: Endpoint): boolean =>
  audiencesOf(actor).some((audience) =>
    'user' in audience ? audience.user === user_id : audience.organization === organization_id,
  )

/**
 * Loads an endpoint that the actor manages.
 * @throws WEBHOOK_NOT_FOUND
 */
export async function loadEndpoint(queries: Queries, actor: Actor, id: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(queries, id)
  return endpoint && canManage(actor, endpoint) ? endpoint : fail('WEBHOOK_NOT_FOUND')
}
