import Type, { type Static } from 'typebox'
import { AssignmentType } from './assignments.ts'
import { DateTime, Nullable, OneOf } from './schema.ts'

/** One assignment on the home page: what the user has to do with it, or what came back. */
const HomeAssignment = Type.Object({
  class: Type.Object({ id: Type.String(), name: Type.String() }),
  id: Type.String(),
  title: Type.String(),
  type: AssignmentType,
  creationDate: DateTime,
  dueDate: Nullable(DateTime),
  /** What the student has done. Null if the student has not started, and for a teacher. */
  state: Nullable(OneOf(['created', 'turnedIn', 'returned', 'graded'])),
  grade: Nullable(Type.Number()),
  /** The maximum of the grade. */
  maxPoints: Nullable(Type.Number()),
  /** For a teacher: how many works wait. */
  toReview: Type.Integer(),
})
export type HomeAssignment = Static<typeof HomeAssignment>

export const HomeWork = Type.Object({
  /** What the user has to do as a student, and what was returned in the last 14 days. */
  learning: Type.Array(HomeAssignment),
  /** What waits for the user as a teacher, and what is due in the next 7 days. */
  teaching: Type.Array(HomeAssignment),
})
export type HomeWork = Static<typeof HomeWork>
