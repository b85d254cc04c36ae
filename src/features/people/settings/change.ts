import { loadRelyingParty } from '../../../auth/passkeys/relying-party.ts'
import { listProviders } from '../../../auth/providers/store.ts'
import { deleteSignInsOfMembers } from '../../../auth/sessions/store.ts'
import { deleteCachedActors } from '../../../auth/tokens/cached-actors.ts'
import type { OrganizationRules } from '../../../contract/organization-rules.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { audit } from '../audit/audit.ts'
import { findOrganization, type OrganizationChange, updateOrganization } from '../organizations/store.ts'
import { effectsOf } from './effects.ts'
import { columnsOf } from './rules.ts'

interface SettingsChange {
  readonly organization: string
  /** The administrator; null for the command line. */
  readonly by: string | null
  readonly rules: Partial<OrganizationRules>
  /** Columns that only the operator of the server changes. */
  readonly limits?: OrganizationChange
  /** The changes, as the audit log records them. */
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Changes rules and limits of an organization, for its administrators and for the command line. The rule of the provider ends
 * all sessions of members, because they may have been opened with a password.
 * @throws ORGANIZATION_NOT_FOUND, PROVIDER_MISSING, PASSKEYS_UNAVAILABLE, and RULE_LOCKS_YOU_OUT if the administrator could not sign in any more
 */
export async function changeSettings(
  ctx: Context,
  tx: Transaction,
  { organization, by, rules, limits = {}, details }: SettingsChange,
): Promise<void> {
  if (rules.requirePasskey) loadRelyingParty(ctx.config)
  const before = (await findOrganization(tx, organization)) ?? fail('ORGANIZATION_NOT_FOUND')
  await updateOrganization(tx, organization, { ...columnsOf(rules), ...limits })
  await checkProviderRule(tx, organization)
  if (by !== null) {
    const effects = await effectsOf(ctx, tx, before, { rules, caller: by })
    const lockOut = effects.find(({ locksOutCaller }) => locksOutCaller)
    if (lockOut) fail('RULE_LOCKS_YOU_OUT', { param: `rules.${lockOut.rule}` })
  }
  if (rules.requireProvider && before.requires_provider === 0) {
    deleteCachedActors(ctx, tx, await deleteSignInsOfMembers(tx, organization))
  }
  await audit(tx, ctx, {
    organization,
    actor: by,
    action: 'organization.updated',
    subject: organization,
    details,
  })
}

/** @throws PROVIDER_MISSING if the members can sign in only through a provider, and the organization has none */
export async function checkProviderRule(tx: Transaction, organization: string): Promise<void> {
  if ((await findOrganization(tx, organization))?.requires_provider !== 1) return
  const providers = await listProviders(tx)
  if (!providers.some(({ organization_id }) => organization_id === organization))
    fail('PROVIDER_MISSING', { param: 'rules.requireProvider' })
}
