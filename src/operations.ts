import type { ExtensionId } from './contract/extensions.ts'
import type { InternalId } from './contract/internal.ts'
import type { PublishedId } from './contract/published.ts'
import { archiveAssignment } from './features/teaching/assignments/archiveAssignment.ts'
import { copyAssignment } from './features/teaching/assignments/copyAssignment.ts'
import { createClassAssignment } from './features/teaching/assignments/createClassAssignment.ts'
import { deleteAssignment } from './features/teaching/assignments/deleteAssignment.ts'
import { getAssignment } from './features/teaching/assignments/getAssignment.ts'
import { listAssignments } from './features/teaching/assignments/listAssignments.ts'
import { unarchiveAssignment } from './features/teaching/assignments/unarchiveAssignment.ts'
import { updateClassAssignment } from './features/teaching/assignments/updateClassAssignment.ts'
import { activateClass } from './features/teaching/classes/activateClass.ts'
import { addClassUser } from './features/teaching/classes/addClassUser.ts'
import { archiveClass } from './features/teaching/classes/archiveClass.ts'
import { createClass } from './features/teaching/classes/createClass.ts'
import { createTestStudentAccount } from './features/teaching/classes/createTestStudentAccount.ts'
import { deleteClassUser } from './features/teaching/classes/deleteClassUser.ts'
import { enrollClass } from './features/teaching/classes/enrollClass.ts'
import { getClass } from './features/teaching/classes/getClass.ts'
import { listClasses } from './features/teaching/classes/listClasses.ts'
import { listOrganizationClasses } from './features/teaching/classes/listOrganizationClasses.ts'
import { unarchiveClass } from './features/teaching/classes/unarchiveClass.ts'
import { updateClass } from './features/teaching/classes/updateClass.ts'
import { addCollectionCollaborator } from './features/library/collections/addCollectionCollaborator.ts'
import { addScoreToCollection } from './features/library/collections/addScoreToCollection.ts'
import { createCollection } from './features/library/collections/createCollection.ts'
import { deleteCollection } from './features/library/collections/deleteCollection.ts'
import { deleteScoreFromCollection } from './features/library/collections/deleteScoreFromCollection.ts'
import { editCollection } from './features/library/collections/editCollection.ts'
import { getCollection } from './features/library/collections/getCollection.ts'
import { listCollectionCollaborators } from './features/library/collections/listCollectionCollaborators.ts'
import { listCollectionScores } from './features/library/collections/listCollectionScores.ts'
import { listCollections } from './features/library/collections/listCollections.ts'
import { removeCollectionCollaborator } from './features/library/collections/removeCollectionCollaborator.ts'
import { untrashCollection } from './features/library/collections/untrashCollection.ts'
import { copyEduResource } from './features/teaching/resources/copyEduResource.ts'
import { copyEduResourceToDemoClass } from './features/teaching/resources/copyEduResourceToDemoClass.ts'
import { createEduResource } from './features/teaching/resources/createEduResource.ts'
import { deleteEduResource } from './features/teaching/resources/deleteEduResource.ts'
import { getEduResource } from './features/teaching/resources/getEduResource.ts'
import { listEduLibraries } from './features/teaching/resources/listEduLibraries.ts'
import { listEduResources } from './features/teaching/resources/listEduResources.ts'
import { moveEduResource } from './features/teaching/resources/moveEduResource.ts'
import { updateEduResource } from './features/teaching/resources/updateEduResource.ts'
import { updateEduResourceAssignment } from './features/teaching/resources/updateEduResourceAssignment.ts'
import { useEduResourceInClass } from './features/teaching/resources/useEduResourceInClass.ts'
import { listEvents } from './features/people/events/listEvents.ts'
import { listOrganizationEvents } from './features/people/events/listOrganizationEvents.ts'
import { addGroupUser } from './features/people/groups/addGroupUser.ts'
import { createGroup } from './features/people/groups/createGroup.ts'
import { deleteGroup } from './features/people/groups/deleteGroup.ts'
import { getGroupDetails } from './features/people/groups/getGroupDetails.ts'
import { listGroupUsers } from './features/people/groups/listGroupUsers.ts'
import { listGroups } from './features/people/groups/listGroups.ts'
import { removeGroupUser } from './features/people/groups/removeGroupUser.ts'
import { renameGroup } from './features/people/groups/renameGroup.ts'
import { createOrganizationInvitation } from './features/people/organizations/createOrganizationInvitation.ts'
import { createOrganizationUserAccessToken } from './features/people/organizations/createOrganizationUserAccessToken.ts'
import { createOrganizationUserSigninLink } from './features/people/organizations/createOrganizationUserSigninLink.ts'
import { countOrgaUsers } from './features/people/organizations/countOrgaUsers.ts'
import { createOrganizationUser } from './features/people/organizations/createOrganizationUser.ts'
import { listOrganizationUsers } from './features/people/organizations/listOrganizationUsers.ts'
import { removeOrganizationUser } from './features/people/organizations/removeOrganizationUser.ts'
import { updateOrganizationUser } from './features/people/organizations/updateOrganizationUser.ts'
import { endMemberSignIn } from './features/people/organizations/endMemberSignIn.ts'
import { endMemberSignIns } from './features/people/organizations/endMemberSignIns.ts'
import { changeRules } from './features/people/settings/changeRules.ts'
import { applyRoster } from './features/people/roster/applyRoster.ts'
import { previewRoster } from './features/people/roster/previewRoster.ts'
import { getOrganizationSettings } from './features/people/settings/getOrganizationSettings.ts'
import { getOrganizationSummary } from './features/people/settings/getOrganizationSummary.ts'
import { previewRules } from './features/people/settings/previewRules.ts'
import { getMember } from './features/people/organizations/getMember.ts'
import { sendMemberPasswordReset } from './features/people/organizations/sendMemberPasswordReset.ts'
import { listMemberSignIns } from './features/people/organizations/listMemberSignIns.ts'
import { listOrganizationInvitations } from './features/people/organizations/listOrganizationInvitations.ts'
import { removeOrganizationInvitation } from './features/people/organizations/removeOrganizationInvitation.ts'
import { deleteScoreComment } from './features/library/score-comments/deleteScoreComment.ts'
import { getScoreComments } from './features/library/score-comments/getScoreComments.ts'
import { markScoreCommentResolved } from './features/library/score-comments/markScoreCommentResolved.ts'
import { markScoreCommentUnresolved } from './features/library/score-comments/markScoreCommentUnresolved.ts'
import { postScoreComment } from './features/library/score-comments/postScoreComment.ts'
import { updateScoreComment } from './features/library/score-comments/updateScoreComment.ts'
import { addScoreTrack } from './features/library/tracks/addScoreTrack.ts'
import { deleteScoreTrack } from './features/library/tracks/deleteScoreTrack.ts'
import { getScoreTrack } from './features/library/tracks/getScoreTrack.ts'
import { listScoreTracks } from './features/library/tracks/listScoreTracks.ts'
import { getScoreTrackFile } from './features/library/tracks/getScoreTrackFile.ts'
import { createScoreTrackLink } from './features/library/tracks/createScoreTrackLink.ts'
import { createRecordingUpload } from './features/library/uploads/createRecordingUpload.ts'
import { deleteRecordingUpload } from './features/library/uploads/deleteRecordingUpload.ts'
import { getRecordingUpload } from './features/library/uploads/getRecordingUpload.ts'
import { uploadRecordingPart } from './features/library/uploads/uploadRecordingPart.ts'
import { updateScoreTrack } from './features/library/tracks/updateScoreTrack.ts'
import { addScoreCollaborator } from './features/library/scores/addScoreCollaborator.ts'
import { convertScore } from './features/library/scores/convertScore.ts'
import { createExportTask } from './features/library/scores/createExportTask.ts'
import { createScore } from './features/library/scores/createScore.ts'
import { createScoreRevision } from './features/library/scores/createScoreRevision.ts'
import { deleteScore } from './features/library/scores/deleteScore.ts'
import { editScore } from './features/library/scores/editScore.ts'
import { forkScore } from './features/library/scores/forkScore.ts'
import { getGroupScores } from './features/library/scores/getGroupScores.ts'
import { getScore } from './features/library/scores/getScore.ts'
import { getScoreChanges } from './features/library/scores/getScoreChanges.ts'
import { getScoreCollaborator } from './features/library/scores/getScoreCollaborator.ts'
import { getScoreCollaborators } from './features/library/scores/getScoreCollaborators.ts'
import { getScoreRevision } from './features/library/scores/getScoreRevision.ts'
import { getScoreRevisionData } from './features/library/scores/getScoreRevisionData.ts'
import { getScoreRevisions } from './features/library/scores/getScoreRevisions.ts'
import { getUserLikes } from './features/library/scores/getUserLikes.ts'
import { getUserScores } from './features/library/scores/getUserScores.ts'
import { compareScoreRevisions } from './features/library/scores/compareScoreRevisions.ts'
import { likeScore } from './features/library/scores/likeScore.ts'
import { listScoreAccess } from './features/library/scores/listScoreAccess.ts'
import { searchScorePeople } from './features/library/score-comments/searchScorePeople.ts'
import { listInstruments } from './features/library/scores/listInstruments.ts'
import { removeScoreCollaborator } from './features/library/scores/removeScoreCollaborator.ts'
import { recordScorePlay } from './features/library/scores/recordScorePlay.ts'
import { renewSharingKey } from './features/library/scores/renewSharingKey.ts'
import { unlikeScore } from './features/library/scores/unlikeScore.ts'
import { untrashScore } from './features/library/scores/untrashScore.ts'
import { deleteSubmissionComment } from './features/teaching/submission-comments/deleteSubmissionComment.ts'
import { getSubmissionComments } from './features/teaching/submission-comments/getSubmissionComments.ts'
import { postSubmissionComment } from './features/teaching/submission-comments/postSubmissionComment.ts'
import { updateSubmissionComment } from './features/teaching/submission-comments/updateSubmissionComment.ts'
import { createSubmission } from './features/teaching/submissions/createSubmission.ts'
import { deleteSubmission } from './features/teaching/submissions/deleteSubmission.ts'
import { editSubmission } from './features/teaching/submissions/editSubmission.ts'
import { exportSubmissionsReviewsAsCsv } from './features/teaching/submissions/exportSubmissionsReviewsAsCsv.ts'
import { exportSubmissionsReviewsAsExcel } from './features/teaching/submissions/exportSubmissionsReviewsAsExcel.ts'
import { getGradebook } from './features/teaching/submissions/getGradebook.ts'
import { getScoreSubmissions } from './features/teaching/submissions/getScoreSubmissions.ts'
import { getSubmission } from './features/teaching/submissions/getSubmission.ts'
import { getSubmissionHistory } from './features/teaching/submissions/getSubmissionHistory.ts'
import { getSubmissions } from './features/teaching/submissions/getSubmissions.ts'
import { listClassStudentSubmissions } from './features/teaching/submissions/listClassStudentSubmissions.ts'
import { returnSubmissions } from './features/teaching/submissions/returnSubmissions.ts'
import { getTask } from './features/library/tasks/getTask.ts'
import { getAuthenticatedUser } from './features/people/users/getAuthenticatedUser.ts'
import { getUser } from './features/people/users/getUser.ts'
import { getSignedInUser } from './auth/sessions/getSignedInUser.ts'
import { endOtherSessions } from './auth/sessions/endOtherSessions.ts'
import { listPersonalTokens } from './auth/tokens/listPersonalTokens.ts'
import { createPersonalToken } from './auth/tokens/createPersonalToken.ts'
import { revokePersonalToken } from './auth/tokens/revokePersonalToken.ts'
import { listConnectedApps } from './auth/oauth-server/apps/listConnectedApps.ts'
import { disconnectApp } from './auth/oauth-server/apps/disconnectApp.ts'
import { listApps } from './auth/oauth-server/apps/listApps.ts'
import { registerApp } from './auth/oauth-server/apps/registerApp.ts'
import { deleteApp } from './auth/oauth-server/apps/deleteApp.ts'
import { changeProfile } from './features/people/users/changeProfile.ts'
import { getProfile } from './features/people/users/getProfile.ts'
import { removeProfilePicture } from './features/people/users/removeProfilePicture.ts'
import { setProfilePicture } from './features/people/users/setProfilePicture.ts'
import { getCalendarFeed } from './features/teaching/agenda/getCalendarFeed.ts'
import { removeCalendarFeed } from './features/teaching/agenda/removeCalendarFeed.ts'
import { renewCalendarFeed } from './features/teaching/agenda/renewCalendarFeed.ts'
import { exportDueDates } from './features/teaching/agenda/exportDueDates.ts'
import { listNotifications } from './features/teaching/agenda/listNotifications.ts'
import { changeNotificationMails } from './features/people/notifications/changeNotificationMails.ts'
import { getNotificationMails } from './features/people/notifications/getNotificationMails.ts'
import { markNotificationsRead } from './features/people/notifications/markNotificationsRead.ts'
import { changeClassDisplay } from './features/teaching/simple-pages/changeClassDisplay.ts'
import { changeDisplay } from './features/teaching/simple-pages/changeDisplay.ts'
import { createClassPins } from './features/teaching/picture-sign-in/createClassPins.ts'
import { getClassSignIn } from './features/teaching/picture-sign-in/getClassSignIn.ts'
import { removeClassSignIn } from './features/teaching/picture-sign-in/removeClassSignIn.ts'
import { addSavedComment } from './features/teaching/saved-comments/addSavedComment.ts'
import { deleteSavedComment } from './features/teaching/saved-comments/deleteSavedComment.ts'
import { listSavedComments } from './features/teaching/saved-comments/listSavedComments.ts'
import { listHomeWork } from './features/teaching/submissions/listHomeWork.ts'
import { getStorage } from './features/people/storage/getStorage.ts'
import { getSecurity } from './auth/security/getSecurity.ts'
import { changePassword } from './auth/security/changePassword.ts'
import { changeEmail } from './auth/security/changeEmail.ts'
import { startSecondFactor } from './auth/second-factor/startSecondFactor.ts'
import { confirmSecondFactor } from './auth/second-factor/confirmSecondFactor.ts'
import { removeSecondFactor } from './auth/second-factor/removeSecondFactor.ts'
import { startPasskey } from './auth/passkeys/startPasskey.ts'
import { addPasskey } from './auth/passkeys/addPasskey.ts'
import { startPasskeyProof } from './auth/passkeys/startPasskeyProof.ts'
import { renamePasskey } from './auth/passkeys/renamePasskey.ts'
import { removePasskey } from './auth/passkeys/removePasskey.ts'
import { createRecoveryCodes } from './auth/second-factor/createRecoveryCodes.ts'
import { listAuditLog } from './features/people/audit/listAuditLog.ts'
import { exportAuditLogAsCsv } from './features/people/audit/exportAuditLogAsCsv.ts'
import { addWebhook } from './features/people/webhooks/addWebhook.ts'
import { changeWebhook } from './features/people/webhooks/changeWebhook.ts'
import { deleteWebhook } from './features/people/webhooks/deleteWebhook.ts'
import { listWebhookDeliveries } from './features/people/webhooks/listWebhookDeliveries.ts'
import { listWebhooks } from './features/people/webhooks/listWebhooks.ts'
import { renewWebhookSecret } from './features/people/webhooks/renewWebhookSecret.ts'
import { sendWebhookAgain } from './features/people/webhooks/sendWebhookAgain.ts'
import { testWebhook } from './features/people/webhooks/testWebhook.ts'
import type { NotServedId } from './contract/not-served.ts'
import type { ClientTypes, Operation } from './operation.ts'

type Built = Exclude<PublishedId | ExtensionId, NotServedId>

const published = {
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
  getScoreChanges,
  listInstruments,
  listEvents,
  listOrganizationEvents,
  convertScore,
  unlikeScore,
  recordScorePlay,
  renewSharingKey,
  getScoreRevisions,
  getScoreRevision,
  createScoreRevision,
  getScoreRevisionData,
  compareScoreRevisions,
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
  getScoreTrackFile,
  createScoreTrackLink,
  createRecordingUpload,
  getRecordingUpload,
  uploadRecordingPart,
  deleteRecordingUpload,
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
} satisfies { readonly [Id in Built]: Operation<Id> }

const internal = {
  listScoreAccess,
  searchScorePeople,
  getSignedInUser,
  getProfile,
  changeProfile,
  setProfilePicture,
  removeProfilePicture,
  getStorage,
  listHomeWork,
  exportDueDates,
  getCalendarFeed,
  renewCalendarFeed,
  removeCalendarFeed,
  listNotifications,
  markNotificationsRead,
  getNotificationMails,
  changeNotificationMails,
  changeDisplay,
  changeClassDisplay,
  getClassSignIn,
  createClassPins,
  removeClassSignIn,
  listSavedComments,
  addSavedComment,
  deleteSavedComment,
  addWebhook,
  changeWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  renewWebhookSecret,
  sendWebhookAgain,
  testWebhook,
  listPersonalTokens,
  createPersonalToken,
  revokePersonalToken,
  listConnectedApps,
  disconnectApp,
  listApps,
  registerApp,
  deleteApp,
  getSecurity,
  changePassword,
  changeEmail,
  endOtherSessions,
  startSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  startPasskey,
  addPasskey,
  startPasskeyProof,
  renamePasskey,
  removePasskey,
  createRecoveryCodes,
  getOrganizationSettings,
  getOrganizationSummary,
  listOrganizationClasses,
  previewRules,
  changeRules,
  previewRoster,
  applyRoster,
  getMember,
  sendMemberPasswordReset,
  listMemberSignIns,
  endMemberSignIns,
  endMemberSignIn,
  listAuditLog,
  exportAuditLogAsCsv,
} satisfies { readonly [Id in InternalId]: Operation<Id> }

/** Every operation below /v2. An operation that is missing here, or has a key other than its id, does not compile. */
export const operations: { readonly [Id in Built]: Operation<Id> } = published

/** Every operation of our own pages, below /internal. */
export const internalOperations: { readonly [Id in InternalId]: Operation<Id> } = internal

type Registry = typeof published & typeof internal
type TypesOf<One> = One extends Operation<infer _Id, infer Types extends ClientTypes> ? Types : never

/** The types of every operation by its id, for the typed client of the browser (web/src/app/client.ts). */
export type Api = { readonly [Id in keyof Registry]: TypesOf<Registry[Id]> }
