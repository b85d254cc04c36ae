/**
 * Every operation of the published v2 interface: id → method and path. src/operations.ts lists the
 * implemented ones.
 */
export const published = {
  // Class
  listClasses: 'GET /classes',
  createClass: 'POST /classes',
  getClass: 'GET /classes/{class}',
  updateClass: 'PUT /classes/{class}',
  archiveClass: 'POST /classes/{class}/archive',
  unarchiveClass: 'DELETE /classes/{class}/archive',
  activateClass: 'POST /classes/{class}/activate',
  addClassUser: 'PUT /classes/{class}/users/{user}',
  deleteClassUser: 'DELETE /classes/{class}/users/{user}',
  listClassStudentSubmissions: 'GET /classes/{class}/students/{user}/submissions',
  listAssignments: 'GET /classes/{class}/assignments',
  createClassAssignment: 'POST /classes/{class}/assignments',
  copyAssignment: 'POST /classes/{class}/assignments/{assignment}/copy',
  archiveAssignment: 'POST /classes/{class}/assignments/{assignment}/archive',
  unarchiveAssignment: 'DELETE /classes/{class}/assignments/{assignment}/archive',
  getSubmissions: 'GET /classes/{class}/assignments/{assignment}/submissions',
  createSubmission: 'PUT /classes/{class}/assignments/{assignment}/submissions',
  exportSubmissionsReviewsAsCsv: 'GET /classes/{class}/assignments/{assignment}/submissions/csv',
  exportSubmissionsReviewsAsExcel: 'GET /classes/{class}/assignments/{assignment}/submissions/excel',
  getSubmission: 'GET /classes/{class}/assignments/{assignment}/submissions/{submission}',
  editSubmission: 'PUT /classes/{class}/assignments/{assignment}/submissions/{submission}',
  deleteSubmission: 'DELETE /classes/{class}/assignments/{assignment}/submissions/{submission}',
  getSubmissionHistory: 'GET /classes/{class}/assignments/{assignment}/submissions/{submission}/history',
  getSubmissionComments: 'GET /classes/{class}/assignments/{assignment}/submissions/{submission}/comments',
  postSubmissionComment: 'POST /classes/{class}/assignments/{assignment}/submissions/{submission}/comments',
  updateSubmissionComment:
    'PUT /classes/{class}/assignments/{assignment}/submissions/{submission}/comments/{comment}',
  deleteSubmissionComment:
    'DELETE /classes/{class}/assignments/{assignment}/submissions/{submission}/comments/{comment}',
  createTestStudentAccount: 'POST /classes/{class}/testStudent',
  enrollClass: 'POST /classes/enroll/{enrollmentCode}',
  // Collection
  listCollections: 'GET /collections',
  createCollection: 'POST /collections',
  getCollection: 'GET /collections/{collection}',
  editCollection: 'PUT /collections/{collection}',
  deleteCollection: 'DELETE /collections/{collection}',
  untrashCollection: 'POST /collections/{collection}/untrash',
  listCollectionScores: 'GET /collections/{collection}/scores',
  addScoreToCollection: 'PUT /collections/{collection}/scores/{score}',
  deleteScoreFromCollection: 'DELETE /collections/{collection}/scores/{score}',
  // EduResources
  listEduResources: 'GET /eduResources',
  createEduResource: 'POST /eduResources',
  listEduLibraries: 'GET /eduResources/libraries',
  getEduResource: 'GET /eduResources/{resource}',
  updateEduResource: 'PUT /eduResources/{resource}',
  deleteEduResource: 'DELETE /eduResources/{resource}',
  moveEduResource: 'POST /eduResources/{resource}/move',
  copyEduResource: 'POST /eduResources/{resource}/copy',
  copyEduResourceToDemoClass: 'POST /eduResources/{resource}/copyToDemoClass',
  useEduResourceInClass: 'POST /eduResources/{resource}/useInClass',
  createEduResourceLtiLink: 'POST /eduResources/{resource}/createLtiLink',
  updateEduResourceAssignment: 'PUT /eduResources/{resource}/assignment',
  // Group
  listGroups: 'GET /groups',
  createGroup: 'POST /groups',
  getGroupDetails: 'GET /groups/{group}',
  renameGroup: 'PUT /groups/{group}',
  deleteGroup: 'DELETE /groups/{group}',
  listGroupUsers: 'GET /groups/{group}/users',
  addGroupUser: 'POST /groups/{group}/users',
  removeGroupUser: 'DELETE /groups/{group}/users/{user}',
  getGroupScores: 'GET /groups/{group}/scores',
  // Account
  getAuthenticatedUser: 'GET /me',
  // OMR
  getOmrCapabilities: 'GET /omr/capabilities',
  createOmrJob: 'POST /omr/jobs',
  listOmrJobs: 'GET /omr/jobs',
  getOmrJob: 'GET /omr/jobs/{job}',
  addOmrJobFile: 'POST /omr/jobs/{job}/files',
  getOmrJobFile: 'GET /omr/jobs/{job}/files/{index}',
  startOmrJob: 'POST /omr/jobs/{job}/start',
  submitOmrJobStep: 'POST /omr/jobs/{job}/steps/{step}',
  getOmrJobExport: 'GET /omr/jobs/{job}/exports/{format}',
  cancelOmrJob: 'POST /omr/jobs/{job}/cancel',
  // Organization
  listOrganizationUsers: 'GET /organizations/users',
  createOrganizationUser: 'POST /organizations/users',
  countOrgaUsers: 'GET /organizations/users/count',
  updateOrganizationUser: 'PUT /organizations/users/{user}',
  removeOrganizationUser: 'DELETE /organizations/users/{user}',
  createOrganizationUserSigninLink: 'POST /organizations/users/{user}/signinLink',
  createOrganizationUserAccessToken: 'POST /organizations/users/{user}/accessToken',
  listOrganizationInvitations: 'GET /organizations/invitations',
  createOrganizationInvitation: 'POST /organizations/invitations',
  removeOrganizationInvitation: 'DELETE /organizations/invitations/{invitation}',
  listLtiCredentials: 'GET /organizations/lti/credentials',
  createLtiCredentials: 'POST /organizations/lti/credentials',
  revokeLtiCredentials: 'DELETE /organizations/lti/credentials/{credentials}',
  listLtiConfigurations: 'GET /organizations/lti/configurations',
  createLtiConfiguration: 'POST /organizations/lti/configurations',
  updateLtiConfiguration: 'PUT /organizations/lti/configurations/{configuration}',
  deleteLtiConfiguration: 'DELETE /organizations/lti/configurations/{configuration}',
  // Score
  createScore: 'POST /scores',
  getScore: 'GET /scores/{score}',
  editScore: 'PUT /scores/{score}',
  deleteScore: 'DELETE /scores/{score}',
  untrashScore: 'POST /scores/{score}/untrash',
  getScoreSubmissions: 'GET /scores/{score}/submissions',
  forkScore: 'POST /scores/{score}/fork',
  getScoreCollaborators: 'GET /scores/{score}/collaborators',
  addScoreCollaborator: 'POST /scores/{score}/collaborators',
  getScoreCollaborator: 'GET /scores/{score}/collaborators/{collaborator}',
  removeScoreCollaborator: 'DELETE /scores/{score}/collaborators/{collaborator}',
  listScoreTracks: 'GET /scores/{score}/tracks',
  addScoreTrack: 'POST /scores/{score}/tracks',
  getScoreTrack: 'GET /scores/{score}/tracks/{track}',
  updateScoreTrack: 'PUT /scores/{score}/tracks/{track}',
  deleteScoreTrack: 'DELETE /scores/{score}/tracks/{track}',
  getScoreComments: 'GET /scores/{score}/comments',
  postScoreComment: 'POST /scores/{score}/comments',
  updateScoreComment: 'PUT /scores/{score}/comments/{comment}',
  deleteScoreComment: 'DELETE /scores/{score}/comments/{comment}',
  markScoreCommentResolved: 'PUT /scores/{score}/comments/{comment}/resolved',
  markScoreCommentUnresolved: 'DELETE /scores/{score}/comments/{comment}/resolved',
  getScoreRevisions: 'GET /scores/{score}/revisions',
  createScoreRevision: 'POST /scores/{score}/revisions',
  getScoreRevision: 'GET /scores/{score}/revisions/{revision}',
  getScoreRevisionData: 'GET /scores/{score}/revisions/{revision}/{format}',
  createExportTask: 'POST /scores/{score}/revisions/{revision}/{format}/task',
  // Task
  getTask: 'GET /tasks/{task}',
  // User
  getUser: 'GET /users/{user}',
  getUserLikes: 'GET /users/{user}/likes',
  getUserScores: 'GET /users/{user}/scores',
} as const satisfies Record<string, `${Route['method']} ${Route['path']}`>

/** Paths that the published interface declares without methods. */
export const withoutMethods = [
  '/classes/{class}/assignments/{assignment}/submissions/{submission}/performanceAssessments',
] as const

export type PublishedId = keyof typeof published

/** The method and path of an operation. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the mount (/v2 or /internal), with {parameters}. */
  path: `/${string}`
}
