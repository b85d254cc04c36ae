import { findPasswordOrigin } from '../../features/people/audit/store.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { Failure } from '../../errors.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { checkRoomForMember } from '../../features/people/organizations/policy.ts'
import { acceptInvitations } from '../../features/library/scores/collaborators.ts'
import type { ProviderUser } from '../providers/claims.ts'
import type { Provider } from '../providers/providers.ts'
import { findProviderAccount, hasProviderAccount, insertProviderAccount } from '../providers/store.ts'
import { accountOf, emailKey, noPassword } from '../../features/people/users/accounts.ts'
import { freeName } from '../../features/people/users/free-names.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'
import {
  findUser,
  hasRemovedMember,
  insertUser,
  isFromTeacher,
  listUsersByEmail,
  updatePassword,
} from '../../features/people/users/store.ts'
import type { Context } from '../../context.ts'
import { languages } from '../../texts/texts.ts'

/** The reason why a provider's user cannot sign in here. */
export type SignInRefusal = 'noAccount' | 'otherDomain' | 'ambiguousAccount' | 'organizationFull'

export interface ProviderArrival {
  readonly provider: Provider
  /** The permanent id of the user at the provider. */
  readonly subject: string
  readonly providerUser: ProviderUser
  /** The language of the user's browser. */
  readonly language: string
}

/**
 * Runs `work` with the account of a provider's user: the linked account, otherwise the member with the same
 * address, otherwise a new account if the provider creates accounts. Only accounts of the provider's
 * organization are considered.
 */
export async function withProviderAccount<Result>(
  ctx: Context,
  arrival: ProviderArrival,
  work: (tx: Transaction, user: string) => Promise<Result>,
): Promise<{ done: Result } | { refused: SignInRefusal }> {
  if (!arrival.providerUser.mayCome) return { refused: 'otherDomain' }
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.transaction(async (tx) => {
        const result = await findOrCreate(ctx, tx, arrival)
        return 'refused' in result ? result : { done: await work(tx, result.user) }
      })
    } catch (error) {
      if (error instanceof Failure && error.code === 'SEATS_EXHAUSTED') return { refused: 'organizationFull' }
      // The username was taken in the meantime, or the same user signs in concurrently.
      if (!isUniqueViolation(error) || attempt === 3) throw error
    }
  }
}

type AccountResult = { user: string } | { refused: SignInRefusal }

async function findOrCreate(ctx: Context, tx: Transaction, arrival: ProviderArrival): Promise<AccountResult> {
  const { provider, subject, providerUser } = arrival
  const { name, organization_id: organization } = provider
  const linked = await findProviderAccount(tx, { provider: name, subject })
  if (linked !== undefined) {
    // The account may have been removed or may have left the organization.
    const user = await findUser(tx, { id: linked })
    return user?.organization_id === organization ? { user: user.id } : { refused: 'noAccount' }
  }
  const known = await findByAddress(tx, provider, providerUser.address)
  if (known) {
    if ('user' in known) {
      await deleteTeachersPassword(ctx, tx, known.user)
      await link(ctx, tx, arrival, known.user)
    }
    return known
  }
  if (!provider.rules.createsAccounts) return { refused: 'noAccount' }
  return { user: await makeAccount(ctx, tx, arrival) }
}

/**
 * Finds the member with this address, if the address is verified or vouched for. Returns undefined if there
 * is none.
 */
async function findByAddress(
  tx: Transaction,
  { name, organization_id: organization }: Provider,
  address: string | undefined,
): Promise<AccountResult | undefined> {
  if (address === undefined) return undefined
  const key = emailKey(address)
  const [user, ...others] = (await listUsersByEmail(tx, key)).filter(
    (user) =>
      user.organization_id === organization &&
      user.is_test_student === 0 &&
      (user.email_verified === 1 || user.email_vouched === 1),
  )
  // A removed member must not return with a new account.
  if (!user)
    return (await hasRemovedMember(tx, { organization, emailKey: key }))
      ? { refused: 'noAccount' }
      : undefined
  // An account that is linked to another subject belongs to the previous owner of the address.
  const isLinkedToOther = await hasProviderAccount(tx, { provider: name, user: user.id })
  return others.length > 0 || isLinkedToOther ? { refused: 'ambiguousAccount' } : { user: user.id }
}

async function makeAccount(ctx: Context, tx: Transaction, arrival: ProviderArrival): Promise<string> {
  const { provider, providerUser, language } = arrival
  const { organization_id: organization } = provider
  const { address: email, firstname, lastname, role, nickname, locale } = providerUser
  await checkRoomForMember(tx, organization)
  const knownLocale = [locale?.split('-')[0] ?? '', language].find((candidate) =>
    languages.includes(candidate),
  )
  const username = await freeName(tx, nickname)
  const fields = { username, email, firstname, lastname, organization, role, locale: knownLocale }
  // The account has no password until its user sets one.
  const user = accountOf(fields, undefined, ctx.newId(), ctx.clock.now())
  await insertUser(tx, user)
  await acceptInvitations(tx, user)
  const details = { role, provider: provider.name }
  await audit(tx, ctx, { organization, actor: user.id, action: 'user.created', subject: user.id, details })
  await link(ctx, tx, arrival, user.id)
  return user.id
}

/**
 * Removes the password of a user who signs in through a provider for the first time, with the sessions that it opened, if a
 * teacher knows or knew it. Teachers cannot set the passwords of such users.
 */
async function deleteTeachersPassword(ctx: Context, tx: Transaction, user: string): Promise<void> {
  if (!isFromTeacher(await findPasswordOrigin(tx, user))) return
  await updatePassword(tx, user, noPassword)
  await revokeAllSignIns(ctx, tx, user)
}

async function link(
  ctx: Context,
  tx: Transaction,
  { provider, subject }: ProviderArrival,
  user: string,
): Promise<void> {
  const { name, organization_id: organization } = provider
  await insertProviderAccount(tx, { provider: name, subject, user_id: user, created_at: ctx.clock.now() })
  const details = { provider: name }
  await audit(tx, ctx, {
    organization,
    actor: user,
    action: 'user.linked-to-provider',
    subject: user,
    details,
  })
}
