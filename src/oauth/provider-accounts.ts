import type { Transaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/violations.ts'
import { Failure } from '../errors.ts'
import { audit } from '../features/audit/audit.ts'
import { checkRoomForMember } from '../features/organizations/policy.ts'
import { acceptInvitations } from '../features/scores/collaborators.ts'
import type { Somebody } from '../features/sign-in-providers/claims.ts'
import type { Provider } from '../features/sign-in-providers/providers.ts'
import { findProviderAccount, hasProviderAccount, insertProviderAccount } from '../features/sign-in-providers/store.ts'
import { accountOf, emailKey } from '../features/users/accounts.ts'
import { freeName } from '../features/users/free-names.ts'
import { findUser, hasRemovedMember, insertUser, listUsersByEmail } from '../features/users/store.ts'
import type { Context } from '../operation.ts'
import { languages } from '../texts/texts.ts'

/** Why nobody here is who has come from a provider. */
export type NotHere = 'noAccount' | 'otherDomain' | 'unclear' | 'full'

export interface Arrival {
  readonly provider: Provider
  /** What the provider calls the person, for ever. */
  readonly subject: string
  readonly somebody: Somebody
  /** What the person reads pages in. */
  readonly language: string
}

/**
 * Runs work with the account of who has come from a provider: the one that was linked with it, else the member with the
 * address, else a new one where the provider makes accounts. Nobody outside of the organization is found.
 */
export async function asArrived<Result>(
  ctx: Context,
  arrival: Arrival,
  work: (tx: Transaction, user: string) => Promise<Result>,
): Promise<{ done: Result } | { notHere: NotHere }> {
  if (!arrival.somebody.mayCome) return { notHere: 'otherDomain' }
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.transaction(async (tx) => {
        const found = await findOrMake(ctx, tx, arrival)
        return 'notHere' in found ? found : { done: await work(tx, found.user) }
      })
    } catch (error) {
      if (error instanceof Failure && error.code === 'SEATS_EXHAUSTED') return { notHere: 'full' }
      // Somebody has taken the name meanwhile, or the same person has come twice at once.
      if (!isUniqueViolation(error) || attempt === 3) throw error
    }
  }
}

type Found = { user: string } | { notHere: NotHere }

async function findOrMake(ctx: Context, tx: Transaction, arrival: Arrival): Promise<Found> {
  const { provider, subject, somebody } = arrival
  const { name, organization_id: organization } = provider
  const linked = await findProviderAccount(tx, { provider: name, subject })
  if (linked !== undefined) {
    // Not where the account was removed, or has left.
    const user = await findUser(tx, { id: linked })
    return user?.organization_id === organization ? { user: user.id } : { notHere: 'noAccount' }
  }
  const known = await findByAddress(tx, provider, somebody.address)
  if (known) {
    if ('user' in known) await link(ctx, tx, arrival, known.user)
    return known
  }
  if (!provider.rules.createsAccounts) return { notHere: 'noAccount' }
  return { user: await makeAccount(ctx, tx, arrival) }
}

/** The member with this address, where it counts as the member's. Undefined where there is none. */
async function findByAddress(
  tx: Transaction,
  { name, organization_id: organization }: Provider,
  address: string | undefined,
): Promise<Found | undefined> {
  if (address === undefined) return undefined
  const key = emailKey(address)
  const [user, ...others] = (await listUsersByEmail(tx, key)).filter(
    (user) =>
      user.organization_id === organization &&
      user.is_test_student === 0 &&
      (user.email_verified === 1 || user.email_vouched === 1),
  )
  // Who was removed does not come back as somebody new.
  if (!user) return (await hasRemovedMember(tx, { organization, emailKey: key })) ? { notHere: 'noAccount' } : undefined
  // Nor is the account of who had the address before that of who has it now.
  const isOthers = await hasProviderAccount(tx, { provider: name, user: user.id })
  return others.length > 0 || isOthers ? { notHere: 'unclear' } : { user: user.id }
}

async function makeAccount(ctx: Context, tx: Transaction, arrival: Arrival): Promise<string> {
  const { provider, somebody, language } = arrival
  const { organization_id: organization } = provider
  const { address: email, firstname, lastname, role, nickname, locale } = somebody
  await checkRoomForMember(tx, organization)
  const spoken = [locale?.split('-')[0] ?? '', language].find((one) => languages.includes(one))
  const username = await freeName(tx, nickname)
  const about = { username, email, firstname, lastname, organization, role, locale: spoken }
  // Without a password: nobody signs in with one until somebody has given it one.
  const user = accountOf(about, undefined, ctx.newId(), ctx.clock.now())
  await insertUser(tx, user)
  await acceptInvitations(tx, user)
  const details = { role, provider: provider.name }
  await audit(tx, ctx, { organization, actor: user.id, action: 'user.created', subject: user.id, details })
  await link(ctx, tx, arrival, user.id)
  return user.id
}

async function link(ctx: Context, tx: Transaction, { provider, subject }: Arrival, user: string): Promise<void> {
  const { name, organization_id: organization } = provider
  await insertProviderAccount(tx, { provider: name, subject, user_id: user, created_at: ctx.clock.now() })
  const details = { provider: name }
  await audit(tx, ctx, { organization, actor: user, action: 'user.linked-to-provider', subject: user, details })
}
