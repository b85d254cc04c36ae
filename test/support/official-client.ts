import { FlatClient, noRetry } from 'flat-api'
import type { OperationId } from '../../src/contract/routes.ts'
import type { Person, TestApp } from './app.ts'
import { operationOf } from './conformance.ts'

/** Creates the unmodified published client, with its requests redirected to the test server. */
export function officialClient(
  { url }: TestApp,
  { token }: Pick<Person, 'token'>,
  fetchApi: typeof fetch = fetch,
): FlatClient {
  return new FlatClient({ accessToken: token, baseUrl: `${url}/v2`, retry: noRetry, fetchApi })
}

/** Creates clients for several users and records the ids of the operations that they call. */
export function recordingClients(app: TestApp): {
  clientOf(person: Pick<Person, 'token'>): FlatClient
  called: ReadonlySet<string>
} {
  const called = new Set<string>()
  const recordingFetch: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace('/v2', '')
    called.add(operationOf(init?.method ?? 'GET', path)?.id ?? path)
    return fetch(input, init)
  }
  return { clientOf: (person) => officialClient(app, person, recordingFetch), called }
}

/** The operations that each scenario calls. Every published and implemented operation is in one of the lists. */
export const scenarioOperations = {
  'score-import-and-export': [
    'createExportTask',
    'createScore',
    'createScoreRevision',
    'deleteScore',
    'editScore',
    'getAuthenticatedUser',
    'getCollection',
    'getScore',
    'getScoreRevision',
    'getScoreRevisionData',
    'getScoreRevisions',
    'getTask',
    'getUser',
    'getUserScores',
    'listCollectionScores',
    'listCollections',
    'untrashScore',
  ],
  'score-library': [
    'addScoreCollaborator',
    'addScoreToCollection',
    'addScoreTrack',
    'createCollection',
    'deleteCollection',
    'deleteScoreComment',
    'deleteScoreFromCollection',
    'deleteScoreTrack',
    'editCollection',
    'forkScore',
    'getScoreCollaborator',
    'getScoreCollaborators',
    'getScoreComments',
    'getScoreTrack',
    'getUserLikes',
    'listScoreTracks',
    'markScoreCommentResolved',
    'markScoreCommentUnresolved',
    'postScoreComment',
    'removeScoreCollaborator',
    'untrashCollection',
    'updateScoreComment',
    'updateScoreTrack',
  ],
  'setting-work': [
    'archiveAssignment',
    'copyAssignment',
    'createClassAssignment',
    'listAssignments',
    'unarchiveAssignment',
  ],
  'submitting-work': [
    'createSubmission',
    'deleteSubmission',
    'deleteSubmissionComment',
    'editSubmission',
    'exportSubmissionsReviewsAsCsv',
    'exportSubmissionsReviewsAsExcel',
    'getScoreSubmissions',
    'getSubmission',
    'getSubmissionComments',
    'getSubmissionHistory',
    'getSubmissions',
    'listClassStudentSubmissions',
    'postSubmissionComment',
    'updateSubmissionComment',
  ],
  'start-of-term': [
    'activateClass',
    'addClassUser',
    'addGroupUser',
    'archiveClass',
    'countOrgaUsers',
    'createClass',
    'createGroup',
    'createOrganizationInvitation',
    'createOrganizationUser',
    'createOrganizationUserAccessToken',
    'createOrganizationUserSigninLink',
    'createTestStudentAccount',
    'deleteClassUser',
    'deleteGroup',
    'enrollClass',
    'getClass',
    'getGroupDetails',
    'getGroupScores',
    'listClasses',
    'listGroupUsers',
    'listGroups',
    'listOrganizationInvitations',
    'listOrganizationUsers',
    'removeGroupUser',
    'removeOrganizationInvitation',
    'removeOrganizationUser',
    'renameGroup',
    'unarchiveClass',
    'updateClass',
    'updateOrganizationUser',
  ],
  'shared-library': [
    'copyEduResource',
    'copyEduResourceToDemoClass',
    'createEduResource',
    'deleteEduResource',
    'getEduResource',
    'listEduLibraries',
    'listEduResources',
    'moveEduResource',
    'updateEduResource',
    'updateEduResourceAssignment',
    'useEduResourceInClass',
  ],
} as const satisfies Record<string, readonly OperationId[]>
