import Type, { type Static } from 'typebox'
import { GroupType } from './sharing.ts'
import { Nullable, OneOf } from './schema.ts'

export const ScorePeople = Type.Object({
  people: Type.Array(Type.Object({ id: Type.String(), username: Type.String(), name: Type.String() })),
  /** A group of a class has the name of the class. */
  groups: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: GroupType })),
})
export type ScorePeople = Static<typeof ScorePeople>

/** A way in which people have access to a score without being its collaborators. */
export const ScoreAccess = Type.Object({
  way: OneOf(['collection', 'assignment', 'library']),
  /** The title of the collection, assignment or item of a library. */
  title: Type.String(),
  /** The user or group. Null for all teachers who see a library, and for the holders of an assignment, who are counted. */
  who: Nullable(Type.String()),
  people: Nullable(Type.Integer()),
  right: OneOf(['read', 'write', 'admin']),
})
export type ScoreAccess = Static<typeof ScoreAccess>
