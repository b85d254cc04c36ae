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
import { uploadsDeparture } from '../../library/uploads/departure.ts'
import { agendaDeparture } from '../../teaching/agenda/departure.ts'
import { assignmentsDeparture } from '../../teaching/assignments/departure.ts'
import { classesDeparture } from '../../teaching/classes/departure.ts'
import { pictureSignInDeparture } from '../../teaching/picture-sign-in/departure.ts'
import { simplePagesDeparture } from '../../teaching/simple-pages/departure.ts'
import { resourcesDeparture } from '../../teaching/resources/departure.ts'
import { submissionCommentsDeparture } from '../../teaching/submission-comments/departure.ts'
import { savedCommentsDeparture } from '../../teaching/saved-comments/departure.ts'
import { submissionsDeparture } from '../../teaching/submissions/departure.ts'
import { webhooksDeparture } from '../webhooks/departure.ts'
import { eventsDeparture } from '../events/departure.ts'
import { notificationsDeparture } from '../notifications/departure.ts'
import { groupsDeparture } from '../groups/departure.ts'
import { organizationsDeparture } from '../organizations/departure.ts'
import { storageDeparture } from '../storage/departure.ts'
import { usersDeparture } from '../users/departure.ts'

/** The steps of every feature that keeps data of users, in the order in which they run within a phase. */
export const departures: readonly Departure[] = [
  classesDeparture,
  resourcesDeparture,
  assignmentsDeparture,
  submissionsDeparture,
  submissionCommentsDeparture,
  savedCommentsDeparture,
  pictureSignInDeparture,
  agendaDeparture,
  simplePagesDeparture,
  notificationsDeparture,
  webhooksDeparture,
  eventsDeparture,
  groupsDeparture,
  scoresDeparture,
  scoreCommentsDeparture,
  sharingDeparture,
  tracksDeparture,
  uploadsDeparture,
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

/** The rules that the order of the steps has to keep, with the reason of each. A test checks them. */
export const orderRules: readonly OrderRule[] = [
  {
    event: 'onMemberLeft',
    first: 'teaching/classes transfer',
    second: 'teaching/assignments transfer',
    reason: 'Attached scores are copied for the owner of the class, who must be the new one.',
  },
  {
    event: 'onMemberLeft',
    first: 'teaching/resources transfer',
    second: 'library/scores finish',
    reason: 'Scores that pass to another owner keep their privacy. The remaining scores become private.',
  },
  {
    event: 'onMemberLeft',
    first: 'teaching/submissions withdraw',
    second: 'people/groups finish',
    reason: 'The work of a student is found by the groups of the student.',
  },
  {
    event: 'onMemberLeft',
    first: 'people/users withdraw',
    second: 'people/storage finish',
    reason: 'The organization no longer counts the pictures of the profile, which the account loses.',
  },
  {
    event: 'onRoleChanged',
    first: 'teaching/classes transfer',
    second: 'teaching/classes finish',
    reason: 'The classes of a teacher are found by the teachers groups, which the teacher then leaves.',
  },
  {
    event: 'onRoleChanged',
    first: 'teaching/classes finish',
    second: 'teaching/submissions finish',
    reason: 'Access to the work of a group is computed from its remaining members.',
  },
  {
    event: 'onClassLeft',
    first: 'teaching/classes transfer',
    second: 'teaching/classes finish',
    reason: 'The class gets another owner before the old one leaves its teachers group.',
  },
  {
    event: 'onClassLeft',
    first: 'teaching/submissions withdraw',
    second: 'teaching/classes finish',
    reason: 'The work of a student is found by the groups of the student.',
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
    reason: 'The work of a student is found by the groups of the student.',
  },
  {
    event: 'erase',
    first: 'auth/oauth-server finish',
    second: 'people/users finish',
    reason: 'Apps are found by their owner, whom the deletion of the user removes from them.',
  },
  ...(['onMemberLeft', 'erase'] as const).map((event) => ({
    event,
    first: 'people/storage finish',
    second: 'people/users finish',
    reason: 'The bytes of the account are subtracted from the organization while the user is its member.',
  })),
  {
    event: 'erase',
    first: 'people/organizations finish',
    second: 'people/users finish',
    reason: 'Invitations are found by the user who created or used them.',
  },
]

/** Returns the names of the steps of an event in the order in which they run, each as feature and phase. */
export function stepNamesOf(event: EventName): string[] {
  const withPhase = (phase: Phase) => departures.filter((departure) => departure[event]?.[phase])
  const namesOf = (list: readonly Departure[], phase: string) =>
    list.map(({ feature }) => `${feature} ${phase}`)
  const withBatches = event === 'erase' ? departures.filter(({ eraseInBatches }) => eraseInBatches) : []
  return [
    ...namesOf(withPhase('transfer'), 'transfer'),
    ...namesOf(withPhase('withdraw'), 'withdraw'),
    ...namesOf(withBatches, 'eraseInBatches'),
    ...namesOf(withPhase('finish'), 'finish'),
  ]
}

/**
 * Runs the steps that the features declare for an event, in one transaction.
 * @param selectedPhases the phases to run, in order; all by default
 */
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
