import Type, { type Static } from 'typebox'
import { mailFrequencies } from './mail-frequencies.ts'
import { DateTime, Nullable, OneOf } from './schema.ts'

/** What happened: work was assigned, is due tomorrow, was handed in or returned, or somebody commented on a submission. */
export const notificationKinds = ['assigned', 'dueTomorrow', 'handedIn', 'commented', 'returned'] as const
export type NotificationKind = (typeof notificationKinds)[number]

const Notification = Type.Object({
  id: Type.String(),
  kind: OneOf(notificationKinds),
  date: DateTime,
  isRead: Type.Boolean(),
  class: Type.Object({ id: Type.String(), name: Type.String() }),
  assignment: Type.Object({ id: Type.String(), title: Type.String() }),
  /** Whether the reader teaches the class. The page links to the desk then. */
  teaches: Type.Boolean(),
  /** The name of the person who did it. Null for a deleted account and for a person outside of the organization. */
  by: Nullable(Type.String()),
})
export type Notification = Static<typeof Notification>

/** Newest first. */
export const Notifications = Type.Object({
  notifications: Type.Array(Notification),
  /** The number of unread notifications, at most 100. */
  unread: Type.Integer(),
  /** The cursor of the next page. Null on the last one. */
  next: Nullable(Type.String()),
})
export type Notifications = Static<typeof Notifications>

export const NotificationsQuery = Type.Object({
  /** The `next` of the previous page. */
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
  /** 0 returns only the number of unread notifications. */
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
})

export const NotificationsRead = Type.Object(
  {
    id: Type.String({ maxLength: 100 }),
    /** Whether all older notifications are marked too. */
    andOlder: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export const CalendarFeed = Type.Object({
  /** The secret address at which calendar programs read the due dates. Null if it is off. */
  address: Nullable(Type.String()),
})
export type CalendarFeed = Static<typeof CalendarFeed>

/** Why a user gets no mails, whatever the frequency: the server sends none, or the account has no confirmed address. */
export const mailObstacles = ['no mail server', 'no address', 'address not confirmed'] as const
export type MailObstacle = (typeof mailObstacles)[number]

export const NotificationMails = Type.Object({
  frequency: OneOf(mailFrequencies),
  /** Null if mails are sent. */
  obstacle: Nullable(OneOf(mailObstacles)),
})
export type NotificationMails = Static<typeof NotificationMails>

export const NotificationMailsChange = Type.Object(
  { frequency: OneOf(mailFrequencies) },
  { additionalProperties: false },
)
