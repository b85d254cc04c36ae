import type { OrganizationRole } from '../../../../src/contract/users.ts'
import { call } from '../../app/client.ts'
import type { FirstPassword } from './first-passwords.tsx'
import { randomPassword } from './random-password.ts'

/** A member whom the user has selected in the list. */
export interface SelectedMember {
  readonly id: string
  readonly username: string
  readonly name: string
}

export type BulkAction =
  | { readonly kind: 'role'; readonly role: OrganizationRole }
  | { readonly kind: 'passwords' | 'signOut' | 'remove' }

/** What happened to one member. A skipped member cannot have a password. */
export type BulkResult =
  | { readonly kind: 'done'; readonly member: SelectedMember; readonly password?: FirstPassword }
  | { readonly kind: 'skipped'; readonly member: SelectedMember }
  | { readonly kind: 'failed'; readonly member: SelectedMember; readonly error: unknown }

/** Does something to one member after the other. Yields the result of each. One that fails does not stop the others. */
export async function* bulk(
  action: BulkAction,
  members: readonly SelectedMember[],
): AsyncGenerator<BulkResult> {
  for (const member of members) yield await one(action, member).catch((error) => failed(member, error))
}

const failed = (member: SelectedMember, error: unknown): BulkResult => ({ kind: 'failed', member, error })

async function one(action: BulkAction, member: SelectedMember): Promise<BulkResult> {
  const params = { user: member.id }
  switch (action.kind) {
    case 'role':
      await call('updateOrganizationUser', { params, body: { organizationRole: action.role } })
      break
    case 'signOut':
      await call('endMemberSignIns', { params })
      break
    case 'remove':
      await call('removeOrganizationUser', { params })
      break
    case 'passwords':
      return newPassword(member)
  }
  return { kind: 'done', member }
}

async function newPassword(member: SelectedMember): Promise<BulkResult> {
  const params = { user: member.id }
  const { can, minPasswordLength } = await call('getMember', { params })
  if (!can.setPassword) return { kind: 'skipped', member }
  const password = randomPassword(minPasswordLength)
  await call('updateOrganizationUser', { params, body: { password } })
  const { username, name } = member
  return { kind: 'done', member, password: { username, firstname: name, lastname: null, password } }
}
