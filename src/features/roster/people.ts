import type { OrganizationRole } from '../../contract/users.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { changePlaces } from '../submissions/removal.ts'
import { audit } from '../audit/audit.ts'
import { isAdministratorRole } from '../organizations/policy.ts'
import { findHeir, giveRole } from '../organizations/roles.ts'
import { acceptInvitations } from '../scores/collaborators.ts'
import { findInvitedAddresses } from '../scores/grants.ts'
import { accountOf, emailKey, identityOf } from '../users/accounts.ts'
import { type AccountChange, insertUser, updateUser } from '../users/store.ts'
import type { Settled, StagedPerson, StagedRole } from './staging.ts'
import { findPersonByExternalId, findPersonByName, type KnownPerson } from './store.ts'

/** What the roster comes to for one person, as things are. */
export type PersonStep = { person: StagedPerson } & (
  | { kind: 'make'; role: StagedRole }
  | {
      kind: 'change'
      known: KnownPerson
      change: AccountChange
      /** Another one than before. */
      role: StagedRole | undefined
      /** What changes, in words. */
      fields: string[]
    }
  | { kind: 'leave'; known: KnownPerson }
  | { kind: 'removed' }
  | { kind: 'wrong'; column: string; why: string }
)

/**
 * What is to be done for these people. Who has an id in the roster is found by it, under whatever name; else by the username,
 * which is noted with the id then.
 */
export async function planPeople(
  queries: Queries,
  organization: string,
  people: readonly StagedPerson[],
): Promise<PersonStep[]> {
  return Promise.all(
    people.map(async (person) => {
      const { external_id: id, username_key: name } = person
      const [identified, named] = await Promise.all([
        id === null ? undefined : findPersonByExternalId(queries, { organization, id }),
        findPersonByName(queries, { name }),
      ])
      return stepFor(organization, person, identified, named)
    }),
  )
}

function stepFor(
  organization: string,
  person: StagedPerson,
  identified: KnownPerson | undefined,
  named: KnownPerson | undefined,
): PersonStep {
  const wrong = (why: string) => ({ person, kind: 'wrong', column: 'username', why }) as const
  if (named && named.organization_id !== organization)
    return wrong('is taken by an account outside of the organization')
  if (identified && named && named.id !== identified.id) return wrong('is taken by another member of the organization')
  const isOther = named?.external_id !== null && person.external_id !== null
  if (!identified && named && isOther) return wrong(`is taken by the member whose id is “${named.external_id}”`)
  const known = identified ?? named
  if (!known) return { person, kind: 'make', role: person.role ?? 'user' }
  if (known.deletion_at !== null) return { person, kind: 'removed' }
  return changeOf(person, known)
}

/** What the roster does not say stays. */
function changeOf(person: StagedPerson, known: KnownPerson): PersonStep {
  const said = (['username', 'firstname', 'lastname', 'email'] as const).filter(
    (column) => person[column] !== null && person[column] !== known[column],
  )
  const isNewlyVouched = person.email !== null && known.email_vouched === 0
  const isNewlyKnown = person.external_id !== null && person.external_id !== known.external_id
  const role = newRole(person.role, known.organization_role)
  const fields = [
    ...said,
    ...(isNewlyVouched && !said.includes('email') ? ['email'] : []),
    ...(isNewlyKnown ? ['id'] : []),
    ...(role ? [`${known.organization_role === 'user' ? 'student' : known.organization_role} → ${nameOf(role)}`] : []),
  ]
  if (fields.length === 0) return { person, kind: 'leave', known }
  const email = person.email ?? known.email
  const isSameEmail = email !== null && emailKey(email) === known.email_key
  const identity = identityOf({
    username: person.username,
    firstname: person.firstname ?? known.firstname,
    lastname: person.lastname ?? known.lastname,
    email,
  })
  const change: AccountChange = {
    ...identity,
    email_verified: isSameEmail ? known.email_verified : 0,
    email_vouched: person.email === null ? known.email_vouched : 1,
    external_id: person.external_id ?? known.external_id,
  }
  return { person, kind: 'change', known, change, role, fields }
}

/** Who administers the organization goes on with it: that is not the school's records to say. */
function newRole(said: StagedRole | null, has: OrganizationRole | null): StagedRole | undefined {
  if (said === null || said === has || (has !== null && isAdministratorRole(has))) return undefined
  return said
}

export const nameOf = (role: StagedRole): string => (role === 'user' ? 'student' : role)

/** What is known of a person after this step; `user` is the account that it has made. */
export function settledBy(step: PersonStep, user: string | null): Settled {
  if (step.kind === 'removed' || step.kind === 'wrong') return { user_id: null, is_student: 0, passed_over: 1 }
  const isStudent = step.kind === 'make' ? step.role === 'user' : roleAfter(step) === 'user'
  return { user_id: step.kind === 'make' ? user : step.known.id, is_student: isStudent ? 1 : 0, passed_over: 0 }
}

const roleAfter = (step: Extract<PersonStep, { kind: 'change' | 'leave' }>) =>
  (step.kind === 'change' ? step.role : undefined) ?? step.known.organization_role

/**
 * Does these steps; the ids of the accounts that they are about.
 * @param hashes of passwords, by the number of the person
 */
export async function writePeople(
  ctx: Context,
  tx: Transaction,
  organization: string,
  steps: readonly PersonStep[],
  hashes: ReadonlyMap<number, string>,
): Promise<(string | null)[]> {
  const keys = steps.flatMap(({ person }) => (person.email === null ? [] : emailKey(person.email)))
  const invited = keys.length > 0 ? await findInvitedAddresses(tx, keys) : new Set<string>()
  // All that the database need not be waited for.
  const ids = await Promise.all(steps.map((step) => writePerson(ctx, tx, organization, step, hashes)))
  for (const [index, step] of steps.entries()) {
    const id = ids[index]
    if (!id) continue
    const { email } = step.person
    const isNew = step.kind === 'make' || (step.kind === 'change' && step.fields.includes('email'))
    if (isNew && email !== null && invited.has(emailKey(email))) await acceptInvitations(tx, { id })
    if (step.kind !== 'change' || !step.role) continue
    await giveRole(ctx, tx, { organization, by: null }, step.known, step.role)
    const heir = () => findHeir(tx, organization, { of: id, by: null })
    await changePlaces(ctx, tx, { user: id, by: null }, step.role, heir)
  }
  return ids
}

async function writePerson(
  ctx: Context,
  tx: Transaction,
  organization: string,
  step: PersonStep,
  hashes: ReadonlyMap<number, string>,
): Promise<string | null> {
  const { person } = step
  const event = { organization, actor: null }
  switch (step.kind) {
    case 'wrong': {
      const place = `${person.file}, line ${person.line}, ${step.column}`
      return fail('INVALID_PARAMETER', { message: `${place}: ${step.why}, by what was done meanwhile.` })
    }
    case 'removed':
      return null
    case 'leave':
      return step.known.id
    case 'change': {
      const details = { fields: step.fields, by: 'roster' }
      const { id } = step.known
      await Promise.all([
        updateUser(tx, id, step.change),
        audit(tx, ctx, { ...event, action: 'user.updated', subject: id, details }),
      ])
      return id
    }
    case 'make': {
      const { username, email, firstname, lastname, external_id } = person
      const about = { username, firstname, lastname, email, organization, role: step.role }
      const user = { ...accountOf(about, hashes.get(person.n), ctx.newId(), ctx.clock.now()), external_id }
      const details = { username, role: step.role, by: 'roster' }
      await Promise.all([
        insertUser(tx, user),
        audit(tx, ctx, { ...event, action: 'user.created', subject: user.id, details }),
      ])
      return user.id
    }
  }
}
