import type { UserDetailsAdmin } from '../../../contract/organizations.ts'
import type { Context } from '../../../context.ts'
import { listGroupIds } from '../groups/store.ts'
import { presentLicense } from './license.ts'
import { loadLicense } from './store.ts'
import { type MemberFacts, presentMember } from './present.ts'

/** Presents members of one organization for its administrators, with the groups of each. */
export async function composeMembers(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  members: readonly MemberFacts[],
): Promise<UserDetailsAdmin[]> {
  const organization = members[0]?.organization_id
  if (!organization) return []
  const [groups, license] = await Promise.all([
    listGroupIds(
      db.read,
      members.map(({ id }) => id),
    ),
    loadLicense(db.read, organization),
  ])
  const presented = presentLicense(license, clock.now())
  return members.map((member) =>
    presentMember(member, groups.get(member.id) ?? [], presented, config.publicUrl),
  )
}

export async function composeMember(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  member: MemberFacts,
): Promise<UserDetailsAdmin> {
  const [presented] = await composeMembers(ctx, [member])
  return presented as UserDetailsAdmin
}
