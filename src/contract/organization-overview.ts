import Type, { type Static } from 'typebox'
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
