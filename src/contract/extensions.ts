import type { Route } from './published.ts'

/**
 * What Partita has beyond the published interface: id → method and path. In the document each is marked with
 * `x-partita-extension`, so that nobody takes it for something that other servers of the interface have.
 */
export const extensions = {
  likeScore: 'PUT /scores/{score}/like',
  unlikeScore: 'DELETE /scores/{score}/like',
  listCollectionCollaborators: 'GET /collections/{collection}/collaborators',
  addCollectionCollaborator: 'POST /collections/{collection}/collaborators',
  getAssignment: 'GET /classes/{class}/assignments/{assignment}',
  updateClassAssignment: 'PUT /classes/{class}/assignments/{assignment}',
  deleteAssignment: 'DELETE /classes/{class}/assignments/{assignment}',
  removeCollectionCollaborator: 'DELETE /collections/{collection}/collaborators/{collaborator}',
  getGradebook: 'GET /classes/{class}/gradebook',
  returnSubmissions: 'POST /classes/{class}/assignments/{assignment}/submissions/return',
} as const satisfies Record<string, `${Route['method']} ${Route['path']}`>

export type ExtensionId = keyof typeof extensions
