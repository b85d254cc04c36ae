import type { OrganizationRole } from '../../../contract/users.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { deleteCachedActors } from '../../../auth/tokens/cached-actors.ts'
import { audit } from '../audit/audit.ts'
import { isAdministratorRole, rankOf } from '../organizations/policy.ts'
import { changeRole } from '../departures/members.ts'
import { acceptInvitations } from '../../library/scores/collaborators.ts'
import { findInvitedAddresses } from '../../library/sharing/invitations.store.ts'
import { accountOf, emailKey, identityOf } from '../users/accounts.ts'
import { type AccountChange, insertUser, updateUser } from '../users/store.ts'
import type { StagedAccount, StagedPerson, StagedRole } from './staging.ts'
import { findPersonByExternalId, findPersonByName, type KnownPerson } from './store.ts'

/** The administrator who imports a roster. */
export interface RosterActor {
  id: string
  organizationRole: OrganizationRole
}

/** The step of the import for one person. */
export type PersonStep = { person: StagedPerson } & (
  | { kind: 'create'; role: StagedRole }
  | {
      kind: 'change'
      known: KnownPerson
      change: AccountChange
      /** The new role, or undefined if it stays. */
      role: StagedRole | undefined
      /** Descriptions of the changes. */
      fields: string[]
    }
  | { kind: 'unchanged'; known: KnownPerson }
  | { kind: 'removed' }
  | { kind: 'invalid'; column: string; problem: string }
)

/**
 * Plans the step of each person. A person with an id is found by the id, even under another name. Other people
 * are found by the username, and the id is stored for the next import.
 * @param by the administrator who imports, whose role limits what the roster may change
 */
export async function planPeople(
  queries: Queries,
  organization: string,
  people: readonly StagedPerson[],
  by: RosterActor | null = null,
): Promise<PersonStep[]> {
  return Promise.all(
    people.map(async (person) => {
      const { external_id: id, username_key: name } = person
      const [identified, named] = await Promise.all([
        id === null ? undefined : findPersonByExternalId(queries, { organization, id }),
        findPersonByName(queries, { name }),
      ])
      return withinReach(stepFor(organization, person, identified, named), by)
    }),
  )
}

function stepFor(
  organization: string,
  person: StagedPerson,
  identified: KnownPerson | undefined,
  named: KnownPerson | undefined,
): PersonStep {
  const invalid = (problem: string) => ({ person, kind: 'invalid', column: 'username', problem }) as const
  if (named && named.organization_id !== organization)
    return invalid('is taken by an account outside of the organization')
  if (identified && named && named.id !== identified.id)
    return invalid('is taken by another member of the organization')
  const haveDifferentIds = named?.external_id !== null && person.external_id !== null
  if (!identified && named && haveDifferentIds)
    return invalid(`is taken by the member whose id is “${named.external_id}”`)
  const known = identified ?? named
  if (!known) return { person, kind: 'create', role: person.role ?? 'user' }
  if (known.deletion_at !== null) return { person, kind: 'removed' }
  return changeOf(person, known)
}

/** Refuses a change that the administrator could not make on the page of the member either. */
function withinReach(step: PersonStep, by: RosterActor | null): PersonStep {
  if (step.kind !== 'change' || by === null) return step
  const { person, known, fields } = step
  const invalid = (column: string, problem: string) => ({ person, kind: 'invalid', column, problem }) as const
  const role = known.organization_role
  if (role !== null && rankOf(role) > rankOf(by.organizationRole))
    return invalid('username', 'is a member whose role is above yours')
  // Another person at an unlocked browser must not be able to take over the account.
  return known.id === by.id && fields.includes('email')
    ? invalid('email', 'is your own address, which you change on the page of your account')
    : step
}

/** Columns that the roster leaves empty stay as they are. */
function changeOf(person: StagedPerson, known: KnownPerson): PersonStep {
  const changedColumns = (['username', 'firstname', 'lastname', 'email'] as const).filter(
    (column) => person[column] !== null && person[column] !== known[column],
  )
  const vouchesForEmail = person.email !== null && known.email_vouched === 0
  const hasNewId = person.external_id !== null && person.external_id !== known.external_id
  const role = newRole(person.role, known.organization_role)
  const fields = [
    ...changedColumns,
    ...(vouchesForEmail && !changedColumns.includes('email') ? ['email'] : []),
    ...(hasNewId ? ['id'] : []),
    ...(role
      ? [`${known.organization_role === 'user' ? 'student' : known.organization_role} → ${roleName(role)}`]
      : []),
  ]
  if (fields.length === 0) return { person, kind: 'unchanged', known }
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

/** Administrators stay administrators, whatever the records of the school say. */
function newRole(
  rosterRole: StagedRole | null,
  currentRole: OrganizationRole | null,
): StagedRole | undefined {
  if (
    rosterRole === null ||
    rosterRole === currentRole ||
    (currentRole !== null && isAdministratorRole(currentRole))
  )
    return undefined
  return rosterRole
}

export const roleName = (role: StagedRole): string => (role === 'user' ? 'student' : role)

/**
 * What the staging table stores about a person after a step.
 * @param user the account that the step created
 */
export function lookupResultOf(step: PersonStep, user: string | null): StagedAccount {
  if (step.kind === 'removed' || step.kind === 'invalid') return { user_id: null, is_student: 0, skipped: 1 }
  const isStudent = step.kind === 'create' ? step.role === 'user' : roleAfter(step) === 'user'
  return {
    user_id: step.kind === 'create' ? user : step.known.id,
    is_student: isStudent ? 1 : 0,
    skipped: 0,
  }
}

const roleAfter = (step: Extract<PersonStep, { kind: 'change' | 'unchanged' }>) =>
  (step.kind === 'change' ? step.role : undefined) ?? step.known.organization_role

/**
 * Performs the steps. Returns the ids of the accounts, null for each person without an account.
 * @param hashes password hashes by the `n` of the person
 */
export async function writePeople(
  ctx: Context,
  tx: Transaction,
  source: { organization: string; by: string | null },
  steps: readonly PersonStep[],
  hashes: ReadonlyMap<number, string>,
): Promise<(string | null)[]> {
  const keys = steps.flatMap(({ person }) => (person.email === null ? [] : emailKey(person.email)))
  const invited = keys.length > 0 ? await findInvitedAddresses(tx, keys) : new Set<string>()
  // These queries do not depend on one another.
  const ids = await Promise.all(steps.map((step) => writePerson(ctx, tx, source, step, hashes)))
  for (const [index, step] of steps.entries()) {
    const id = ids[index]
    if (!id) continue
    const { email } = step.person
    const isNew = step.kind === 'create' || (step.kind === 'change' && step.fields.includes('email'))
    if (isNew && email !== null && invited.has(emailKey(email))) await acceptInvitations(tx, { id })
    if (step.kind !== 'change' || !step.role) continue
    await changeRole(ctx, tx, source, step.known, step.role)
  }
  return ids
}

async function writePerson(
  ctx: Context,
  tx: Transaction,
  { organization, by }: { organization: string; by: string | null },
  step: PersonStep,
  hashes: ReadonlyMap<number, string>,
): Promise<string | null> {
  const { person } = step
  const event = { organization, actor: by }
  switch (step.kind) {
    case 'invalid': {
      const location = `${person.file}, line ${person.line}, ${step.column}`
      return fail('INVALID_PARAMETER', {
        message: `${location}: ${step.problem}. The data changed during the import.`,
      })
    }
    case 'removed':
      return null
    case 'unchanged':
      return step.known.id
    case 'change': {
      const details = { fields: step.fields, by: 'roster' }
      const { id } = step.known
      deleteCachedActors(ctx, tx, [id])
      await Promise.all([
        updateUser(tx, id, step.change),
        audit(tx, ctx, { ...event, action: 'user.updated', subject: id, details }),
      ])
      return id
    }
    case 'create': {
      const { username, email, firstname, lastname, external_id } = person
      const names = { username, firstname, lastname, email }
      const fields = { ...names, organization, role: step.role, passwordOrigin: 'administrator' as const }
      const user = { ...accountOf(fields, hashes.get(person.n), ctx.newId(), ctx.clock.now()), external_id }
      const details = { username, role: step.role, by: 'roster' }
      await Promise.all([
        insertUser(tx, user),
        audit(tx, ctx, { ...event, action: 'user.created', subject: user.id, details }),
      ])
      return user.id
    }
  }
}
