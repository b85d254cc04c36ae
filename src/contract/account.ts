import Type, { type Static } from 'typebox'
import { allScopes } from './scopes.ts'
import { DateTime, Nullable, OneOf } from './schema.ts'
import { OrganizationRoles } from './users.ts'

/** What the browser app and the server tell one another under /account/data. It is not part of the published interface. */

/** Who is signed in. */
export const Me = Type.Object({
  id: Type.String(),
  username: Type.String(),
  email: Nullable(Type.String()),
  organizationRole: Nullable(OrganizationRoles),
})
export type Me = Static<typeof Me>

/** The day-counts after which a token may end. */
const tokenLifetimes = [30, 90, 365] as const

const Scopes = Type.Array(OneOf(allScopes), { minItems: 1, maxItems: allScopes.length })

const PersonalToken = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Scopes,
  createdAt: DateTime,
  /** It holds until it is ended where there is no such moment. */
  expiresAt: Nullable(DateTime),
  lastUsedAt: Nullable(DateTime),
})
export type PersonalToken = Static<typeof PersonalToken>

export const PersonalTokens = Type.Array(PersonalToken)

export const NewPersonalToken = Type.Object({
  name: Type.String({ maxLength: 100 }),
  scopes: Scopes,
  /** After how many days it ends; never without. */
  days: Type.Optional(Type.Integer({ enum: [...tokenLifetimes] })),
})
export type NewPersonalToken = Static<typeof NewPersonalToken>

/** The token itself is seen this once. */
export const MadePersonalToken = Type.Object({ ...PersonalToken.properties, token: Type.String() })
export type MadePersonalToken = Static<typeof MadePersonalToken>

/** What somebody has allowed an app, however often. */
const ConnectedApp = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Scopes,
  since: DateTime,
})
export type ConnectedApp = Static<typeof ConnectedApp>

export const ConnectedApps = Type.Array(ConnectedApp)

/** An app that somebody has registered. */
const App = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** It has no secret. */
  isPublic: Type.Boolean(),
  redirectUris: Type.Array(Type.String()),
  /** Path of its picture. */
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

/** The secret is seen this once; a public app has none. */
export const RegisteredApp = Type.Object({ ...App.properties, secret: Nullable(Type.String()) })
export type RegisteredApp = Static<typeof RegisteredApp>

/** What is named in an address: a row of a list. */
export const ById = Type.Object({ id: Type.String() })

/** Which events of the audit log are asked for. */
export const AuditLogFilter = Type.Object({
  /** Who did it or to whom it was done: username or id. */
  user: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  /** From this moment on, and before that one. */
  since: Type.Optional(DateTime),
  until: Type.Optional(DateTime),
})

export const AuditLogQuery = Type.Object({
  ...AuditLogFilter.properties,
  /** The `next` of the page before. */
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
})

/** An account or thing: things have no username, nor has who is gone. */
const AuditedSubject = Type.Object({ id: Type.String(), username: Nullable(Type.String()) })

const AuditLogEvent = Type.Object({
  id: Type.String(),
  date: DateTime,
  action: Type.String(),
  /** Null for who keeps the server, the server by itself, and who nobody knows. */
  actor: Nullable(AuditedSubject),
  subject: Nullable(AuditedSubject),
  /** A JSON object: what else there is to say, by the action. */
  details: Type.String(),
})
export type AuditLogEvent = Static<typeof AuditLogEvent>

/** The newest first. */
export const AuditLog = Type.Object({
  events: Type.Array(AuditLogEvent),
  /** The cursor of the page with older ones; null where there are none. */
  next: Nullable(Type.String()),
  /** All that an event can be called. */
  actions: Type.Array(Type.String()),
})
export type AuditLog = Static<typeof AuditLog>
