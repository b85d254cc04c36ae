import Type, { type Static } from 'typebox'
import { StorageUse } from './account.ts'
import { Nullable, OneOf } from './schema.ts'

/** Schemas of what administrators see of their whole organization, which the browser app uses. */

/** A class in the list of all classes of an organization. */
export const OrganizationClass = Type.Object({
  id: Type.String(),
  name: Type.String(),
  section: Nullable(Type.String()),
  state: OneOf(['inactive', 'active', 'archived']),
  /** The teachers by name. */
  teachers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  /** The number of students, without test students. */
  students: Type.Integer(),
})
export type OrganizationClass = Static<typeof OrganizationClass>

const count = Type.Integer()

/** What an organization has, in numbers. */
export const OrganizationSummary = Type.Object({
  /** The members by role, without test students. */
  members: Type.Object({ user: count, teacher: count, admin: count, accountAdmin: count }),
  /** The largest number of members. Null without a limit. */
  seats: Nullable(count),
  storage: StorageUse,
  /** The invitations that can still be accepted. */
  openInvitations: count,
  classes: Type.Object({ inactive: count, active: count, archived: count }),
})
export type OrganizationSummary = Static<typeof OrganizationSummary>
