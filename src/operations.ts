import type { OperationId } from './contract/routes.ts'
import { archiveAssignment } from './features/assignments/archiveAssignment.ts'
import { copyAssignment } from './features/assignments/copyAssignment.ts'
import { createClassAssignment } from './features/assignments/createClassAssignment.ts'
import { deleteAssignment } from './features/assignments/deleteAssignment.ts'
import { getAssignment } from './features/assignments/getAssignment.ts'
import { listAssignments } from './features/assignments/listAssignments.ts'
import { unarchiveAssignment } from './features/assignments/unarchiveAssignment.ts'
import { updateClassAssignment } from './features/assignments/updateClassAssignment.ts'
import { activateClass } from './features/classes/activateClass.ts'
import { addClassUser } from './features/classes/addClassUser.ts'
import { archiveClass } from './features/classes/archiveClass.ts'
import { createClass } from './features/classes/createClass.ts'
import { createTestStudentAccount } from './features/classes/createTestStudentAccount.ts'
import { deleteClassUser } from './features/classes/deleteClassUser.ts'
import { enrollClass } from './features/classes/enrollClass.ts'
import { getClass } from './features/classes/getClass.ts'
import { listClasses } from './features/classes/listClasses.ts'
import { unarchiveClass } from './features/classes/unarchiveClass.ts'
import { updateClass } from './features/classes/updateClass.ts'
import { addCollectionCollaborator } from './features/collections/addCollectionCollaborator.ts'
import { addScoreToCollection } from './features/collections/addScoreToCollection.ts'
import { createCollection } from './features/collections/createCollection.ts'
import { deleteCollection } from './features/collections/deleteCollection.ts'
import { deleteScoreFromCollection } from './features/collections/deleteScoreFromCollection.ts'
import { editCollection } from './features/collections/editCollection.ts'
import { getCollection } from './features/collections/getCollection.ts'
import { listCollectionCollaborators } from './features/collections/listCollectionCollaborators.ts'
import { listCollectionScores } from './features/collections/listCollectionScores.ts'
import { listCollections } from './features/collections/listCollections.ts'
import { removeCollectionCollaborator } from './features/collections/removeCollectionCollaborator.ts'
import { untrashCollection } from './features/collections/untrashCollection.ts'
import { copyEduResource } from './features/edu-resources/copyEduResource.ts'
import { copyEduResourceToDemoClass } from './features/edu-resources/copyEduResourceToDemoClass.ts'
import { createEduResource } from './features/edu-resources/createEduResource.ts'
import { deleteEduResource } from './features/edu-resources/deleteEduResource.ts'
import { getEduResource } from './features/edu-resources/getEduResource.ts'
import { listEduLibraries } from './features/edu-resources/listEduLibraries.ts'
import { listEduResources } from './features/edu-resources/listEduResources.ts'
import { moveEduResource } from './features/edu-resources/moveEduResource.ts'
import { updateEduResource } from './features/edu-resources/updateEduResource.ts'
import { updateEduResourceAssignment } from './features/edu-resources/updateEduResourceAssignment.ts'
import { useEduResourceInClass } from './features/edu-resources/useEduResourceInClass.ts'
import { addGroupUser } from './features/groups/addGroupUser.ts'
import { createGroup } from './features/groups/createGroup.ts'
import { deleteGroup } from './features/groups/deleteGroup.ts'
import { getGroupDetails } from './features/groups/getGroupDetails.ts'
import { listGroupUsers } from './features/groups/listGroupUsers.ts'
import { listGroups } from './features/groups/listGroups.ts'
import { removeGroupUser } from './features/groups/removeGroupUser.ts'
import { renameGroup } from './features/groups/renameGroup.ts'
import { createOrganizationInvitation } from './features/organizations/createOrganizationInvitation.ts'
import { createOrganizationUserAccessToken } from './features/organizations/createOrganizationUserAccessToken.ts'
import { createOrganizationUserSigninLink } from './features/organizations/createOrganizationUserSigninLink.ts'
import { countOrgaUsers } from './features/organizations/countOrgaUsers.ts'
import { createOrganizationUser } from './features/organizations/createOrganizationUser.ts'
import { listOrganizationUsers } from './features/organizations/listOrganizationUsers.ts'
import { removeOrganizationUser } from './features/organizations/removeOrganizationUser.ts'
import { updateOrganizationUser } from './features/organizations/updateOrganizationUser.ts'
import { listOrganizationInvitations } from './features/organizations/listOrganizationInvitations.ts'
import { removeOrganizationInvitation } from './features/organizations/removeOrganizationInvitation.ts'
import { deleteScoreComment } from './features/score-comments/deleteScoreComment.ts'
import { getScoreComments } from './features/score-comments/getScoreComments.ts'
import { markScoreCommentResolved } from './features/score-comments/markScoreCommentResolved.ts'
import { markScoreCommentUnresolved } from './features/score-comments/markScoreCommentUnresolved.ts'
import { postScoreComment } from './features/score-comments/postScoreComment.ts'
import { updateScoreComment } from './features/score-comments/updateScoreComment.ts'
import { addScoreTrack } from './features/score-tracks/addScoreTrack.ts'
import { deleteScoreTrack } from './features/score-tracks/deleteScoreTrack.ts'
import { getScoreTrack } from './features/score-tracks/getScoreTrack.ts'
import { listScoreTracks } from './features/score-tracks/listScoreTracks.ts'
import { updateScoreTrack } from './features/score-tracks/updateScoreTrack.ts'
import { addScoreCollaborator } from './features/scores/addScoreCollaborator.ts'
import { createExportTask } from './features/scores/createExportTask.ts'
import { createScore } from './features/scores/createScore.ts'
import { createScoreRevision } from './features/scores/createScoreRevision.ts'
import { deleteScore } from './features/scores/deleteScore.ts'
import { editScore } from './features/scores/editScore.ts'
import { forkScore } from './features/scores/forkScore.ts'
import { getGroupScores } from './features/scores/getGroupScores.ts'
import { getScore } from './features/scores/getScore.ts'
import { getScoreCollaborator } from './features/scores/getScoreCollaborator.ts'
import { getScoreCollaborators } from './features/scores/getScoreCollaborators.ts'
import { getScoreRevision } from './features/scores/getScoreRevision.ts'
import { getScoreRevisionData } from './features/scores/getScoreRevisionData.ts'
import { getScoreRevisions } from './features/scores/getScoreRevisions.ts'
import { getUserLikes } from './features/scores/getUserLikes.ts'
import { getUserScores } from './features/scores/getUserScores.ts'
import { likeScore } from './features/scores/likeScore.ts'
import { removeScoreCollaborator } from './features/scores/removeScoreCollaborator.ts'
import { unlikeScore } from './features/scores/unlikeScore.ts'
import { untrashScore } from './features/scores/untrashScore.ts'
import { deleteSubmissionComment } from './features/submission-comments/deleteSubmissionComment.ts'
import { getSubmissionComments } from './features/submission-comments/getSubmissionComments.ts'
import { postSubmissionComment } from './features/submission-comments/postSubmissionComment.ts'
import { updateSubmissionComment } from './features/submission-comments/updateSubmissionComment.ts'
import { createSubmission } from './features/submissions/createSubmission.ts'
import { deleteSubmission } from './features/submissions/deleteSubmission.ts'
import { editSubmission } from './features/submissions/editSubmission.ts'
import { exportSubmissionsReviewsAsCsv } from './features/submissions/exportSubmissionsReviewsAsCsv.ts'
import { exportSubmissionsReviewsAsExcel } from './features/submissions/exportSubmissionsReviewsAsExcel.ts'
import { getGradebook } from './features/submissions/getGradebook.ts'
import { getScoreSubmissions } from './features/submissions/getScoreSubmissions.ts'
import { getSubmission } from './features/submissions/getSubmission.ts'
import { getSubmissionHistory } from './features/submissions/getSubmissionHistory.ts'
import { getSubmissions } from './features/submissions/getSubmissions.ts'
import { listClassStudentSubmissions } from './features/submissions/listClassStudentSubmissions.ts'
import { returnSubmissions } from './features/submissions/returnSubmissions.ts'
import { getTask } from './features/tasks/getTask.ts'
import { getAuthenticatedUser } from './features/users/getAuthenticatedUser.ts'
import { getUser } from './features/users/getUser.ts'
import type { Operation } from './operation.ts'

/** What of the interface and its extensions is not built yet. It only ever shrinks. */
type NotYetBuilt =
  | 'createEduResourceLtiLink'
  | 'getOmrCapabilities'
  | 'createOmrJob'
  | 'listOmrJobs'
  | 'getOmrJob'
  | 'addOmrJobFile'
  | 'getOmrJobFile'
  | 'startOmrJob'
  | 'submitOmrJobStep'
  | 'getOmrJobExport'
  | 'cancelOmrJob'
  | 'listLtiCredentials'
  | 'createLtiCredentials'
  | 'revokeLtiCredentials'
  | 'listLtiConfigurations'
  | 'createLtiConfiguration'
  | 'updateLtiConfiguration'
  | 'deleteLtiConfiguration'

type Built = Exclude<OperationId, NotYetBuilt>

/** Every operation that is built; one that is forgotten here, or stands under another name than its own, does not compile. */
export const operations: { readonly [Id in Built]: Operation<Id> } = {
  getAuthenticatedUser,
  getUser,
  listClasses,
  createClass,
  getClass,
  updateClass,
  archiveClass,
  unarchiveClass,
  activateClass,
  addClassUser,
  deleteClassUser,
  enrollClass,
  listAssignments,
  createClassAssignment,
  getAssignment,
  updateClassAssignment,
  deleteAssignment,
  copyAssignment,
  archiveAssignment,
  unarchiveAssignment,
  getSubmissions,
  createSubmission,
  returnSubmissions,
  exportSubmissionsReviewsAsCsv,
  exportSubmissionsReviewsAsExcel,
  getSubmission,
  editSubmission,
  deleteSubmission,
  getSubmissionHistory,
  getSubmissionComments,
  postSubmissionComment,
  updateSubmissionComment,
  deleteSubmissionComment,
  listClassStudentSubmissions,
  getGradebook,
  getScoreSubmissions,
  createTestStudentAccount,
  getUserScores,
  getUserLikes,
  createScore,
  getScore,
  editScore,
  deleteScore,
  untrashScore,
  forkScore,
  likeScore,
  unlikeScore,
  getScoreRevisions,
  getScoreRevision,
  createScoreRevision,
  getScoreRevisionData,
  getScoreCollaborators,
  addScoreCollaborator,
  getScoreCollaborator,
  removeScoreCollaborator,
  createExportTask,
  getScoreComments,
  postScoreComment,
  updateScoreComment,
  deleteScoreComment,
  markScoreCommentResolved,
  markScoreCommentUnresolved,
  listScoreTracks,
  addScoreTrack,
  getScoreTrack,
  updateScoreTrack,
  deleteScoreTrack,
  getTask,
  listCollections,
  createCollection,
  getCollection,
  editCollection,
  deleteCollection,
  untrashCollection,
  listCollectionScores,
  addScoreToCollection,
  deleteScoreFromCollection,
  listCollectionCollaborators,
  addCollectionCollaborator,
  removeCollectionCollaborator,
  listEduResources,
  createEduResource,
  listEduLibraries,
  getEduResource,
  updateEduResource,
  deleteEduResource,
  moveEduResource,
  copyEduResource,
  copyEduResourceToDemoClass,
  useEduResourceInClass,
  updateEduResourceAssignment,
  listGroups,
  createGroup,
  getGroupDetails,
  renameGroup,
  deleteGroup,
  listGroupUsers,
  addGroupUser,
  removeGroupUser,
  getGroupScores,
  listOrganizationUsers,
  countOrgaUsers,
  createOrganizationUser,
  updateOrganizationUser,
  removeOrganizationUser,
  listOrganizationInvitations,
  createOrganizationInvitation,
  removeOrganizationInvitation,
  createOrganizationUserSigninLink,
  createOrganizationUserAccessToken,
}
