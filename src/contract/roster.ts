import Type, { type Static } from 'typebox'
import { Nullable, OneOf } from './schema.ts'
import { maxRosterFiles } from './roster-limits.ts'

/** Schemas of the requests and responses under /internal/organization/roster, which the browser app uses. */

const RosterFiles = Type.Array(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    /** The content in base64. */
    content: Type.String(),
  }),
  { minItems: 1, maxItems: maxRosterFiles },
)

const classState = Type.Optional(OneOf(['active', 'inactive']))

export const RosterUpload = Type.Object({ files: RosterFiles })

export const RosterApplication = Type.Object({
  files: RosterFiles,
  /** The state of new classes. */
  classState,
  /** Whether new accounts without a password in the roster get one. */
  createPasswords: Type.Optional(Type.Boolean()),
})

const Counts = Type.Object({
  created: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
})
const Role = OneOf(['user', 'teacher', 'admin', 'accountAdmin'])
const changedFields = ['username', 'firstname', 'lastname', 'email', 'id', 'role'] as const

/** What the import of a roster would do. If there are problems, it would do nothing. */
export const RosterPreview = Type.Object({
  problems: Type.Object({
    count: Type.Integer(),
    /** The first ones. A problem of the roster as a whole has no line. */
    first: Type.Array(
      Type.Object({
        file: Type.Optional(Type.String()),
        line: Type.Optional(Type.Integer()),
        column: Type.Optional(Type.String()),
        /** The end of an English sentence that begins with the name of the column. */
        problem: Type.String(),
      }),
    ),
  }),
  people: Counts,
  classes: Counts,
  groups: Counts,
  memberships: Counts,
  /** Members of the organization whom the roster does not name. They stay as they are. */
  notNamed: Type.Integer(),
  /** Persons who are neither student nor teacher, or who are disabled in the records of the school. */
  skipped: Type.Integer(),
  /** Removed members whom the roster names. They stay removed. */
  removed: Type.Integer(),
  /** The first persons who are new, changed or removed. */
  listed: Type.Array(
    Type.Object({
      kind: OneOf(['create', 'change', 'removed']),
      file: Type.String(),
      line: Type.Integer(),
      username: Type.String(),
      name: Type.String(),
      /** The role of a new member, or the new role of a changed one. */
      role: Nullable(Role),
      fields: Type.Array(OneOf(changedFields)),
    }),
  ),
  /** The first classes that are new, renamed, or archived. Archived classes stay as they are. */
  listedClasses: Type.Array(
    Type.Object({
      kind: OneOf(['create', 'rename', 'archived']),
      name: Type.String(),
      /** The present name of a renamed class. */
      before: Nullable(Type.String()),
    }),
  ),
  /** False if all members sign in through a provider. */
  canCreatePasswords: Type.Boolean(),
})
export type RosterPreview = Static<typeof RosterPreview>

/** What one request has imported. */
export const RosterProgress = Type.Object({
  /** Whether the import is complete. Otherwise the same request continues it. */
  isDone: Type.Boolean(),
  /** How many people, classes, groups and memberships are still to be created or changed. */
  remaining: Type.Integer(),
  /** The new accounts for which this request has created a password. No other answer contains the passwords. */
  accounts: Type.Array(
    Type.Object({
      username: Type.String(),
      firstname: Nullable(Type.String()),
      lastname: Nullable(Type.String()),
      role: Role,
      password: Type.String(),
    }),
  ),
})
export type RosterProgress = Static<typeof RosterProgress>
