import type { UserDetailsAdmin } from '../../../contract/organizations.ts'
import type { Context } from '../../../context.ts'
import { listGroupIds } from '../groups/store.ts'
import { type MemberFacts, presentMember } from './present.ts'

/** Presents members of an organization for its administrators, with the groups of each. */
export async function composeMembers(
  { db, config }: Pick<Context, 'db' | 'config'>,
  members: readonly MemberFacts[],
): Promise<UserDetailsAdmin[]> {
  const ids = members.map(({ id }) => id)
  const groups = ids.length > 0 ? await listGroupIds(db.read, ids) : new Map<string, readonly string[]>()
  return members.map((member) => presentMember(member, groups.get(member.id) ?? [], config.publicUrl))
}

export async function composeMember(
  ctx: Pick<Context, 'db' | 'config'>,
  member: MemberFacts,
): Promise<UserDetailsAdmin> {
  const [presented] = await composeMembers(ctx, [member])
  return presented as UserDetailsAdmin
}
