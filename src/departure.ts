import type { Context } from './context.ts'
import type { OrganizationRole } from './contract/users.ts'
import type { State as ClassState } from './features/teaching/classes/lifecycle.ts'
import type { ClassGroup, ClassRow } from './features/teaching/classes/store.ts'
import type { Queries, Transaction } from './platform/db/database.ts'

/**
 * The steps of a feature when a member leaves an organization or a class, gets another role, or when an account is erased or
 * exported. Each feature declares it in its `departure.ts`. src/features/people/departures lists the features and runs
 * their steps.
 *
 * Joining or leaving a group within a class, and deleting such a group, is no departure. The student stays in the class and
 * keeps all work and assignments. Only the work that the group shares changes hands, so the operations of groups call
 * teaching/submissions and teaching/assignments themselves.
 */
export interface Departure extends DepartureSteps {
  /** Folder of the feature, for example `teaching/classes`. */
  readonly feature: string
  /** The lists of this feature in the export of an account, by file name. */
  readonly exports?: AccountExport
  /** Deletes many rows of an erased account in short transactions, after `withdraw` and before `finish` of `erase`. */
  readonly eraseInBatches?: BatchedStep
}

export type DepartureSteps = { readonly [Name in keyof DepartureEvents]?: Steps<DepartureEvents[Name]> }

/** The events by name, each with the data that its steps get. */
export interface DepartureEvents {
  /** An administrator removed the account. It is erased when the retention time of the organization is over. */
  onMemberRemoved: { readonly user: string }
  /** A member leaves the organization and keeps the account, which becomes an individual one. */
  onMemberLeft: MemberEvent
  /** A member gets another role in the organization. The user's row has the new role already. */
  onRoleChanged: RoleChange
  /** A user leaves one class. */
  onClassLeft: ClassLeaving
  /** A class was archived, unarchived or activated. */
  onClassStateChanged: ClassStateChange
  /** An account is deleted for good. */
  erase: Erasure
}

/**
 * The phases of an event. Every feature finishes a phase before the first feature starts the next one.
 *
 * - `transfer` gives what stays behind to another owner.
 * - `withdraw` deletes the user's part in the work of other users. Memberships still exist.
 * - `finish` ends memberships and deletes the rest.
 */
export type Phase = 'transfer' | 'withdraw' | 'finish'

type Step<Event> = (ctx: Context, tx: Transaction, event: Event) => Promise<void>

export type Steps<Event> = { readonly [P in Phase]?: Step<Event> }

/**
 * Runs outside of a transaction.
 * @param transaction runs `work` in a transaction of its own, unless the account was restored in the meantime
 */
export type BatchedStep = (
  ctx: Context,
  user: string,
  transaction: (work: (tx: Transaction) => Promise<void>) => Promise<void>,
) => Promise<void>

export interface MemberEvent {
  readonly user: string
  readonly organization: string
  /** The user who causes the event, for the audit log. Null for the command line and for jobs. */
  readonly by: string | null
  /** Returns the administrator who takes over what has no other new owner. The first call looks it up. */
  readonly successor: () => Promise<string>
}

export interface RoleChange extends MemberEvent {
  readonly role: OrganizationRole
  /** The groups of classes in which the new role has no place. The user leaves them. */
  readonly leftGroups: readonly ClassGroup[]
}

export interface ClassLeaving {
  readonly user: string
  readonly by: string
  readonly schoolClass: ClassRow
}

export interface ClassStateChange {
  /** The class in its new state. */
  readonly schoolClass: ClassRow
  readonly before: ClassState
}

export interface Erasure extends Omit<MemberEvent, 'organization'> {
  /** Null for an individual account. */
  readonly organization: string | null
  /** The address of the account, if it counts as the user's. Undefined for `organization` means everywhere. */
  readonly address: { emailKey: string; organization: string | undefined } | undefined
}

export type AccountExport = Readonly<Record<string, ExportedList>>

/** One JSON file of the export. */
export interface ExportedList {
  /** Sentence of the README of the export. */
  readonly description: string
  /**
   * Selects the rows of one user whose key follows `after`, with the column `key`. The export orders them by their keys and
   * reads them in batches.
   */
  readonly query: (queries: Queries, user: string, after: string) => KeyedRows
  /** Reads more lists of one row, by the names that they get in the file. */
  readonly details?: (queries: Queries, key: string) => Promise<Readonly<Record<string, readonly object[]>>>
}

/** A query of rows that have a unique key. */
export interface KeyedRows {
  orderBy(column: 'key'): { limit(count: number): { execute(): Promise<(object & { key: string })[]> } }
}
