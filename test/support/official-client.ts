import { FlatClient, noRetry } from 'flat-api'
import type { OperationId } from '../../src/contract/routes.ts'
import type { Person, TestApp } from './app.ts'
import { operationOf } from './conformance.ts'

/** The published client, as it is, which thinks that it talks to the service that it was written for. */
export function officialClient(
  { url }: TestApp,
  { token }: Pick<Person, 'token'>,
  fetchApi: typeof fetch = fetch,
): FlatClient {
  return new FlatClient({ accessToken: token, baseUrl: `${url}/v2`, retry: noRetry, fetchApi })
}

/** The same for several people, and which operations they have called. */
export function walkingClients(app: TestApp): {
  clientOf(person: Pick<Person, 'token'>): FlatClient
  walked: ReadonlySet<string>
} {
  const walked = new Set<string>()
  const noting: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace('/v2', '')
    walked.add(operationOf(init?.method ?? 'GET', path)?.id ?? path)
    return fetch(input, init)
  }
  return { clientOf: (person) => officialClient(app, person, noting), walked }
}

/** Which scenario walks which operations: every published one that is built stands in one of them. */
export const walks = {
  'score-in-and-out': [
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
  'work-is-set': [
    'archiveAssignment',
    'copyAssignment',
    'createClassAssignment',
    'listAssignments',
    'unarchiveAssignment',
  ],
  'work-is-done': [
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
  'a-term-begins': [
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
  'a-library-is-shared': [
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
