import type { Route } from './published.ts'

/**
 * Operations that the published interface does not have: id → method and path. The OpenAPI document marks
 * each of them with `x-partita-extension`, because other servers of the interface do not have them.
 */
export const extensions = {
  likeScore: 'PUT /scores/{score}/like',
  compareScoreRevisions: 'GET /scores/{score}/comparison',
  unlikeScore: 'DELETE /scores/{score}/like',
  recordScorePlay: 'POST /scores/{score}/plays',
  getScoreChanges: 'GET /scores/{score}/changes',
  listInstruments: 'GET /instruments',
  createRecordingUpload: 'POST /recordingUploads',
  getRecordingUpload: 'GET /recordingUploads/{upload}',
  uploadRecordingPart: 'PUT /recordingUploads/{upload}/parts/{start}',
  deleteRecordingUpload: 'DELETE /recordingUploads/{upload}',
  getScoreTrackFile: 'GET /scores/{score}/tracks/{track}/file',
  createScoreTrackLink: 'POST /scores/{score}/tracks/{track}/link',
  convertScore: 'POST /conversions/{format}',
  renewSharingKey: 'POST /scores/{score}/sharingKey',
  listCollectionCollaborators: 'GET /collections/{collection}/collaborators',
  addCollectionCollaborator: 'POST /collections/{collection}/collaborators',
  getAssignment: 'GET /classes/{class}/assignments/{assignment}',
  updateClassAssignment: 'PUT /classes/{class}/assignments/{assignment}',
  deleteAssignment: 'DELETE /classes/{class}/assignments/{assignment}',
  removeCollectionCollaborator: 'DELETE /collections/{collection}/collaborators/{collaborator}',
  getGradebook: 'GET /classes/{class}/gradebook',
  listEvents: 'GET /events',
  listOrganizationEvents: 'GET /organizations/events',
  returnSubmissions: 'POST /classes/{class}/assignments/{assignment}/submissions/return',
} as const satisfies Record<string, `${Route['method']} ${Route['path']}`>

export type ExtensionId = keyof typeof extensions
