import type { ExtensionId } from './extensions.ts'
import type { PublishedId } from './published.ts'

/**
 * Operations, fields and values of the published interface that this server does not have, with the reason.
 * docs/interface.md lists them, and a test fails if a response contains one of them.
 */

/** Published operations that are not built. */
const operationsNotServed = {
  createEduResourceLtiLink: 'There is no LTI.',
  listLtiCredentials: 'There is no LTI.',
  createLtiCredentials: 'There is no LTI.',
  revokeLtiCredentials: 'There is no LTI.',
  listLtiConfigurations: 'There is no LTI.',
  createLtiConfiguration: 'There is no LTI.',
  updateLtiConfiguration: 'There is no LTI.',
  deleteLtiConfiguration: 'There is no LTI.',
  getOmrCapabilities: 'There is no optical music recognition.',
  createOmrJob: 'There is no optical music recognition.',
  listOmrJobs: 'There is no optical music recognition.',
  getOmrJob: 'There is no optical music recognition.',
  addOmrJobFile: 'There is no optical music recognition.',
  getOmrJobFile: 'There is no optical music recognition.',
  startOmrJob: 'There is no optical music recognition.',
  submitOmrJobStep: 'There is no optical music recognition.',
  getOmrJobExport: 'There is no optical music recognition.',
  cancelOmrJob: 'There is no optical music recognition.',
} as const satisfies Partial<Record<PublishedId | ExtensionId, string>>

export type NotServedId = keyof typeof operationsNotServed

/** Schemas with the same unserved fields, by the name that the list of fields uses for all of them. */
const families: Readonly<Record<string, readonly string[]>> = {
  User: ['UserPublicSummary', 'UserPublic', 'UserDetails', 'UserDetailsAdmin'],
  Assignment: ['Assignment', 'ClassAssignment', 'AssignmentCopyResponse'],
}

const noClassroom = 'No class is connected to an external classroom.'

/** Fields that responses never contain, as `Schema.field` with a schema or family. */
const fieldsNotServed: Readonly<Record<string, string>> = {
  'User.badges': 'The server awards none.',
  'User.profileTheme': 'Profiles have no themes.',
  'User.links': 'Profiles have no links to other services.',
  'User.followersCount': 'Users cannot follow each other.',
  'User.followingCount': 'Users cannot follow each other.',
  'User.allPublicScoresCount': 'The server counts only the public scores that a user owns.',
  'User.azureDetails':
    'Accounts of Microsoft Entra ID sign in through OpenID Connect, which has no such details.',
  'ScoreDetails.highlightedDate': 'The server has no selection of recommended scores.',
  'ScoreDetails.googleDriveFileId': 'The server stores no scores at Google Drive.',
  'ScoreRevision.event': 'The published interface does not say which events there are.',
  'Collection.sharingKey': 'All collections are private, and a private collection has no key.',
  'CollectionApp.logo': 'Collections show the name of the app only.',
  'Task.children': 'A task has no subtasks.',
  'ClassDetails.issues': noClassroom,
  'ClassDetails.googleClassroom': noClassroom,
  'ClassDetails.googleDrive': noClassroom,
  'ClassDetails.microsoftGraph': noClassroom,
  'ClassDetails.lti': 'There is no LTI.',
  'ClassDetails.canvas': noClassroom,
  'ClassDetails.mfc': noClassroom,
  'ClassDetails.clever': 'Rosters come from CSV or OneRoster files.',
  'ClassAssignment.googleClassroom': noClassroom,
  'ClassAssignment.microsoftGraph': noClassroom,
  'ClassAssignment.mfc': noClassroom,
  'ClassAssignment.canvas': noClassroom,
  'ClassAssignment.lti': 'There is no LTI.',
  'ClassAssignment.issue': noClassroom,
  'AssignmentSubmission.googleClassroom': noClassroom,
  'AssignmentSubmission.microsoftGraph': noClassroom,
  'AssignmentSubmission.lti': 'There is no LTI.',
  'AssignmentSubmissionHistory.source': noClassroom,
  'AssignmentSubmissionHistory.comment':
    'Comments on a submission have a list of their own, because authors can change them and the history never changes.',
  'MediaAttachment.iconUrl': 'Previews of links have no icons.',
  'MediaAttachment.mimeType': 'The server does not download the target of a link.',
}

/** Values of responses and requests that do not occur or are refused, as `Schema.field: value`. */
const valuesNotServed: Readonly<Record<string, string>> = {
  'User.type: guest': 'Callers without a session or token are anonymous.',
  'User.product: msnippet': 'The value names another product of the publisher of the interface.',
  'User.product: embed': 'The value names another product of the publisher of the interface.',
  'ClassDetails.state: deleted': 'Classes are archived, not deleted.',
}

export const notServed = {
  operations: operationsNotServed as Readonly<Record<string, string>>,
  fields: fieldsNotServed,
  values: valuesNotServed,
}

/** Returns the names of the schemas that `Schema` of a list entry stands for. */
export const schemasOf = (name: string): readonly string[] => families[name] ?? [name]
