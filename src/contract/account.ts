import Type, { type Static } from 'typebox'
import { maxBioLength, tokenLifetimes } from './account-limits.ts'
import { allScopes } from './scopes.ts'
import { profilePictureKinds } from './profile-pictures.ts'
import { DateTime, Nullable, OneOf } from './schema.ts'
import { OrganizationRoles } from './users.ts'

/**
 * Schemas of the requests and responses under /internal, which the browser app uses. They are not part of
 * the published interface.
 */

/** How the pages are shown to a user. */
const Display = Type.Object({
  /** Whether the pages are larger, with fewer entries. */
  simplePages: Type.Boolean(),
})
export type Display = Static<typeof Display>

/** Null means as the classes of the user say. */
export const DisplayChange = Type.Object(
  { simplePages: Nullable(Type.Boolean()) },
  { additionalProperties: false },
)

/** Whether the students of a class get simple pages unless they choose otherwise. */
export const ClassDisplay = Type.Object({ simplePages: Type.Boolean() }, { additionalProperties: false })

/** The signed-in user. */
export const SignedInUser = Type.Object({
  id: Type.String(),
  username: Type.String(),
  email: Nullable(Type.String()),
  /** Null for an individual account, which belongs to no organization. */
  organizationRole: Nullable(OrganizationRoles),
  /** Whether another person may be at the browser. Then the session does not open the pages of the account. */
  isDelegated: Type.Boolean(),
  display: Display,
})
export type SignedInUser = Static<typeof SignedInUser>

/** What a user can change in the own profile. */
export const Profile = Type.Object({
  bio: Type.String(),
  /** Null for a member of an organization, whose profile the organization's rules protect. */
  privateProfile: Nullable(Type.Boolean()),
  /** The addresses of the pictures. */
  picture: Nullable(Type.String()),
  cover: Nullable(Type.String()),
})
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object({
  bio: Type.Optional(Type.String({ maxLength: maxBioLength })),
  privateProfile: Type.Optional(Type.Boolean()),
})

export const ProfilePictureParams = Type.Object({ kind: OneOf(profilePictureKinds) })

/** A PNG, JPEG or WebP picture of at most 10 MiB, in base64. */
export const NewProfilePicture = Type.Object({ image: Type.String({ minLength: 1 }) })

export const StorageUse = Type.Object({
  /** The bytes that count against the quota. */
  used: Type.Integer(),
  /** The quota in bytes. Null if there is none. */
  allowed: Nullable(Type.Integer()),
})
export type StorageUse = Static<typeof StorageUse>

/** The storage that an account uses, and for an administrator the storage of the organization. */
export const Storage = Type.Object({ account: StorageUse, organization: Nullable(StorageUse) })

const Scopes = Type.Array(OneOf(allScopes), { minItems: 1, maxItems: allScopes.length })

const PersonalToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Scopes,
  createdAt: DateTime,
  /** Null if the token does not expire. */
  expiresAt: Nullable(DateTime),
  lastUsedAt: Nullable(DateTime),
})
export type PersonalToken = Static<typeof PersonalToken>

export const PersonalTokens = Type.Array(PersonalToken)

export const NewPersonalToken = Type.Object({
  name: Type.String({ maxLength: 100 }),
  scopes: Scopes,
  /** Lifetime in days. Without it the token does not expire. */
  days: Type.Optional(Type.Integer({ enum: [...tokenLifetimes] })),
})
export type NewPersonalToken = Static<typeof NewPersonalToken>

/** The response that creates a token. The token itself is sent only once. */
export const CreatedPersonalToken = Type.Object({ ...PersonalToken.properties, token: Type.String() })
export type CreatedPersonalToken = Static<typeof CreatedPersonalToken>

/** An app that the user has authorized. Several authorizations of one app are one entry. */
const ConnectedApp = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Scopes,
  since: DateTime,
})
export type ConnectedApp = Static<typeof ConnectedApp>

export const ConnectedApps = Type.Array(ConnectedApp)

/** An app that the user has registered. */
const App = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** A public client has no secret. */
  isPublic: Type.Boolean(),
  redirectUris: Type.Array(Type.String()),
  /** The path of the logo. */
  logo: Nullable(Type.String()),
  createdAt: DateTime,
})
export type App = Static<typeof App>

export const Apps = Type.Array(App)

export const NewApp = Type.Object({
  name: Type.String({ maxLength: 1000 }),
  redirectUris: Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 1000 }),
  isPublic: Type.Boolean(),
  /** A PNG, JPEG or WebP picture of at most 100 KiB, in base64. */
  logo: Type.Optional(Type.String()),
})
export type NewApp = Static<typeof NewApp>

/** The response that registers an app. The secret is sent only once, and is null for a public client. */
export const RegisteredApp = Type.Object({ ...App.properties, secret: Nullable(Type.String()) })
export type RegisteredApp = Static<typeof RegisteredApp>

/** The path parameter of an operation on one entry. */
export const IdParams = Type.Object({ id: Type.String() })

/** A member of an organization, as its administrators see it. */
export const Member = Type.Object({
  id: Type.String(),
  username: Type.String(),
  /** The given names and the surname. Null without them. */
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  role: OrganizationRoles,
  isTestStudent: Type.Boolean(),
  createdAt: DateTime,
  /** The last sign-in in the audit log, by whatever means. Null if the log has none. */
  lastSignInAt: Nullable(DateTime),
  hasPassword: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  storage: StorageUse,
  /** The classes of the member, by name. */
  classes: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      role: OneOf(['teacher', 'student']),
      /** Who placed the member in the class. Null if it is not known. */
      placedBy: Nullable(OneOf(['administrator', 'roster', 'code', 'teacher'])),
    }),
  ),
  /** The minimum length of a new password. */
  minPasswordLength: Type.Integer(),
  /** What the caller may do with the account. */
  can: Type.Object({
    /** Change the role, and list and end the sign-ins. */
    manage: Type.Boolean(),
    /** Set a password. Always false for the caller’s own account, whose password is changed on the security page. */
    setPassword: Type.Boolean(),
    /** Send a link to choose a password to the address of the member. */
    sendPasswordReset: Type.Boolean(),
    /** Create a link that signs the member in. */
    createSignInLink: Type.Boolean(),
  }),
})
export type Member = Static<typeof Member>

/** Where a member is signed in, and the tokens and apps that act for the member. Without those that have expired. */
export const MemberSignIns = Type.Object({
  /** Newest first. */
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      startedAt: DateTime,
      endsAt: DateTime,
      /** Who may be at the browser: the member, or also the person who created the sign-in link or knows the password or PIN. */
      openedBy: OneOf(['member', 'link', 'set password', 'PIN']),
    }),
  ),
  /** The tokens, the oldest first, and then the authorizations of apps. */
  tokens: Type.Array(
    Type.Object({
      ...PersonalToken.properties,
      /** The app that the member has authorized; `name` is its name. Null for a token. */
      app: Nullable(Type.String()),
      /** Whether an administrator created the token. */
      isByAdministrator: Type.Boolean(),
    }),
  ),
})
export type MemberSignIns = Static<typeof MemberSignIns>

/** Filters for the events of the audit log. */
export const AuditLogFilter = Type.Object({
  /** Username or id of the actor or the subject of an event. */
  user: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  /** `since` is inclusive and `until` is exclusive. */
  since: Type.Optional(DateTime),
  until: Type.Optional(DateTime),
})

export const AuditLogQuery = Type.Object({
  ...AuditLogFilter.properties,
  /** The `next` of the previous page. */
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
})

/** An account or an object. The username is null for objects and deleted accounts. */
const AuditedSubject = Type.Object({ id: Type.String(), username: Nullable(Type.String()) })

const AuditLogEvent = Type.Object({
  id: Type.String(),
  date: DateTime,
  action: Type.String(),
  /** Null for actions of the server operator, of the server itself and of unknown users. */
  actor: Nullable(AuditedSubject),
  subject: Nullable(AuditedSubject),
  /** A JSON object whose fields depend on the action. */
  details: Type.String(),
})
export type AuditLogEvent = Static<typeof AuditLogEvent>

/** Newest first. */
export const AuditLog = Type.Object({
  events: Type.Array(AuditLogEvent),
  /** The cursor of the next page, with older events. Null on the last page. */
  next: Nullable(Type.String()),
  /** All possible actions. */
  actions: Type.Array(Type.String()),
})
export type AuditLog = Static<typeof AuditLog>
