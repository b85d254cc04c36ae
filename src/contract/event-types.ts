// No schemas, so that the browser app can load this file without them.

/** What an event is about: the fields of its data, each with the id of an object. */
type EventFields = readonly (
  | 'score'
  | 'revision'
  | 'class'
  | 'assignment'
  | 'submission'
  | 'comment'
  | 'user'
)[]

/** The events of an account: what happens to the scores that it owns. */
export const accountEvents = {
  'score.created': ['score', 'revision'],
  'score.updated': ['score'],
  'score.revised': ['score', 'revision'],
  'score.trashed': ['score'],
  'score.restored': ['score'],
} as const satisfies Readonly<Record<string, EventFields>>

/**
 * The events of an organization: what happens in its classes, and to its members. The names of events that the audit log records
 * as well are those of the audit log.
 */
export const organizationEvents = {
  'class.created': ['class'],
  'class.updated': ['class'],
  'class.activated': ['class'],
  'class.archived': ['class'],
  'class.unarchived': ['class'],
  'class.member-added': ['class', 'user'],
  'class.member-removed': ['class', 'user'],
  'class.owner-changed': ['class'],
  'assignment.published': ['class', 'assignment'],
  'assignment.updated': ['class', 'assignment'],
  'assignment.archived': ['class', 'assignment'],
  'assignment.unarchived': ['class', 'assignment'],
  'assignment.deleted': ['class', 'assignment'],
  'submission.created': ['class', 'assignment', 'submission'],
  'submission.submitted': ['class', 'assignment', 'submission'],
  'submission.reclaimed': ['class', 'assignment', 'submission'],
  'submission.graded': ['class', 'assignment', 'submission'],
  'submission.returned': ['class', 'assignment', 'submission'],
  'submission.reset': ['class', 'assignment', 'submission'],
  'submission.commented': ['class', 'assignment', 'submission', 'comment'],
  'user.created': ['user'],
  'user.updated': ['user'],
  'user.role-changed': ['user'],
  'user.removed': ['user'],
  'user.restored': ['user'],
  'user.converted-to-individual': ['user'],
  'user.deleted': ['user'],
  'roster.imported': [],
} as const satisfies Readonly<Record<string, EventFields>>

export type AccountEventType = keyof typeof accountEvents
export type OrganizationEventType = keyof typeof organizationEvents
export type EventType = AccountEventType | OrganizationEventType

export const accountEventTypes = Object.keys(accountEvents) as AccountEventType[]
export const organizationEventTypes = Object.keys(organizationEvents) as OrganizationEventType[]

/** Whether an action of the audit log is an event of the organization as well. */
export const isOrganizationEvent = (action: string): action is OrganizationEventType =>
  Object.hasOwn(organizationEvents, action)

/** Whether a type is one of the events of an account. */
export const isAccountEvent = (type: string): type is AccountEventType => Object.hasOwn(accountEvents, type)

/** For how many days an event can be read. */
export const eventDays = 30
