import type { BatchedStep, Departure, DepartureEvents, DepartureSteps, Phase } from '../../../departure.ts'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { appsDeparture } from '../../../auth/oauth-server/apps/departure.ts'
import { providersDeparture } from '../../../auth/providers/departure.ts'
import { passkeysDeparture } from '../../../auth/passkeys/departure.ts'
import { secondFactorDeparture } from '../../../auth/second-factor/departure.ts'
import { sessionsDeparture } from '../../../auth/sessions/departure.ts'
import { tokensDeparture } from '../../../auth/tokens/departure.ts'
import { collectionsDeparture } from '../../library/collections/departure.ts'
import { scoreCommentsDeparture } from '../../library/score-comments/departure.ts'
import { scoresDeparture } from '../../library/scores/departure.ts'
import { sharingDeparture } from '../../library/sharing/departure.ts'
import { tasksDeparture } from '../../library/tasks/departure.ts'
import { tracksDeparture } from '../../library/tracks/departure.ts'
import { assignmentsDeparture } from '../../teaching/assignments/departure.ts'
import { classesDeparture } from '../../teaching/classes/departure.ts'
import { resourcesDeparture } from '../../teaching/resources/departure.ts'
import { submissionCommentsDeparture } from '../../teaching/submission-comments/departure.ts'
import { submissionsDeparture } from '../../teaching/submissions/departure.ts'
import { groupsDeparture } from '../groups/departure.ts'
import { organizationsDeparture } from '../organizations/departure.ts'
import { storageDeparture } from '../storage/departure.ts'
import { usersDeparture } from '../users/departure.ts'

/** Every feature that keeps data of users, in the order in which their steps run within a phase. */
export const departures: readonly Departure[] = [
  classesDeparture,
  resourcesDeparture,
  assignmentsDeparture,
  submissionsDeparture,
  submissionCommentsDeparture,
  groupsDeparture,
  scoresDeparture,
  scoreCommentsDeparture,
  sharingDeparture,
  tracksDeparture,
  tasksDeparture,
  collectionsDeparture,
  appsDeparture,
  tokensDeparture,
  sessionsDeparture,
  passkeysDeparture,
  secondFactorDeparture,
  providersDeparture,
  storageDeparture,
  organizationsDeparture,
  usersDeparture,
]

const phases: readonly Phase[] = ['transfer', 'withdraw', 'finish']

export type EventName = keyof DepartureEvents

/** A step that has to run before another step of the same event. */
export interface OrderRule {
  event: EventName
  /** Feature and phase, for example `teaching/classes transfer`. */
  first: string
  second: string
  reason: string
}

/** Why the order of steps matters. A test compares these rules with the order in which the steps run. */
export const orderRules: readonly OrderRule[] = [
  {
    event: 'onMemberLeft',
    first: 'teaching/classes transfer',
    second: 'teaching/assignments transfer',
    reason: 'The copies of attached scores belong to the new owner of the class.',
  },
  {
    event: 'onMemberLeft',
    first: 'teaching/resources transfer',
    second: 'library/scores finish',
    reason: 'Closing makes the scores of the member private. Scores of the library keep their privacy.',
  },
  {
    event: 'onMemberLeft',
    first: 'teaching/submissions withdraw',
    second: 'people/groups finish',
    reason: 'The work of a student is found by the groups that the student is in.',
  },
  {
    event: 'onRoleChanged',
    first: 'teaching/classes transfer',
    second: 'teaching/classes finish',
    reason: 'A class that the member teaches is found by the group of its teachers.',
  },
  {
    event: 'onRoleChanged',
    first: 'teaching/classes finish',
    second: 'teaching/submissions finish',
    reason: 'Access to the work of a group is computed from the members that are left.',
  },
  {
    event: 'onClassLeft',
    first: 'teaching/classes transfer',
    second: 'teaching/classes finish',
    reason: 'The class is found by the group of its teachers.',
  },
  {
    event: 'onClassLeft',
    first: 'teaching/submissions withdraw',
    second: 'teaching/classes finish',
    reason: 'The work of a student is found by the groups that the student is in.',
  },
  {
    event: 'erase',
    first: 'teaching/classes transfer',
    second: 'teaching/assignments transfer',
    reason: 'Assignments and attached scores pass to the new owner of the class.',
  },
  ...['teaching/resources transfer', 'teaching/assignments transfer', 'teaching/submissions withdraw'].map(
    (first) => ({
      event: 'erase' as const,
      first,
      second: 'library/scores eraseInBatches',
      reason: 'Scores that pass to another owner must not be deleted.',
    }),
  ),
  {
    event: 'erase',
    first: 'teaching/submissions withdraw',
    second: 'people/groups finish',
    reason: 'The work of a student is found by the groups that the student is in.',
  },
  {
    event: 'erase',
    first: 'auth/oauth-server finish',
    second: 'people/users finish',
    reason: 'Deleting the user clears the owner of the apps.',
  },
  ...(['onMemberLeft', 'erase'] as const).map((event) => ({
    event,
    first: 'people/storage finish',
    second: 'people/users finish',
    reason: 'The quota of the organization counts its members.',
  })),
  {
    event: 'erase',
    first: 'people/organizations finish',
    second: 'people/users finish',
    reason: 'Invitations are found by the user who made or used them.',
  },
]

/** Returns the steps of an event in the order in which they run, each as feature and phase. */
export function stepsOf(event: EventName): string[] {
  const inPhase = (phase: Phase) => departures.filter((departure) => departure[event]?.[phase])
  const named = (list: readonly Departure[], name: string) => list.map(({ feature }) => `${feature} ${name}`)
  const inBatches = event === 'erase' ? departures.filter(({ eraseInBatches }) => eraseInBatches) : []
  return [
    ...named(inPhase('transfer'), 'transfer'),
    ...named(inPhase('withdraw'), 'withdraw'),
    ...named(inBatches, 'eraseInBatches'),
    ...named(inPhase('finish'), 'finish'),
  ]
}

/** Runs the steps that the features declare for an event, in one transaction. */
export async function runSteps<Name extends EventName>(
  name: Name,
  ctx: Context,
  tx: Transaction,
  event: DepartureEvents[Name],
  selectedPhases: readonly Phase[] = phases,
): Promise<void> {
  for (const phase of selectedPhases) {
    for (const departure of departures) {
      const { [name]: steps }: DepartureSteps = departure
      await steps?.[phase]?.(ctx, tx, event)
    }
  }
}

/** Returns the steps that erase data of an account in many short transactions. */
export const batchedSteps = (): BatchedStep[] =>
  departures.flatMap(({ eraseInBatches }) => eraseInBatches ?? [])
