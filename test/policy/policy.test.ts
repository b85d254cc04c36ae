import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { useApp } from '../support/app.ts'
import { newClass } from '../support/classes.ts'
import { newComment } from '../support/comments.ts'
import type { Client, Reply } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { analyze } from '../support/query-plans.ts'
import { emptyPiano, musicXml } from '../support/scores.ts'
import { give, addCollectionScore } from '../support/sharing.ts'
import { storeSubmissionComment } from '../support/submissions.ts'
import { newRecording, wavOf } from '../support/recordings.ts'
import { newTrack } from '../support/tracks.ts'
import { newAssignmentIn } from '../support/assignments.ts'
import { classes, enrollmentCodes, groups, groupsOfClasses } from './class-objects.ts'
import { expectAsForMissing, missing } from './as-missing.ts'
import {
  accounts,
  any,
  collections,
  invitations,
  members,
  type ObjectKind,
  organizations,
  own,
  type Relation,
  scores,
  relations,
  tasks,
  uploads,
  users,
} from './objects.ts'
import { folders, resources, resourcesOfSchool, withoutLibraries } from './resource-objects.ts'
import { assignments, classOf, placeOf, submissions, works } from './submission-objects.ts'
import {
  type Caller,
  callers,
  makeWorld,
  type SessionCaller,
  sessionCallers,
  signInAll,
  type World,
} from './world.ts'

/**
 * The permission table: every implemented operation, called by every kind of caller (world.ts) on every kind
 * of object (objects.ts). The expected status follows only from three facts: the relation of the caller to
 * the object, the relation that the operation requires, and whether it accepts anonymous requests.
 */

interface Row {
  objects: Readonly<Record<string, ObjectKind>>
  /** The weakest relation to the object that permits the operation. */
  needs: Exclude<Relation, 'none'>
  /** Also permitted to holders, who may only have read access. */
  orHolder?: true
  anonymous?: true
  /** The operation accepts `sharingKey`. */
  takesKey?: true
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{}` stands for the id of the object. */
  path: string
  /** Creates the objects for the other path parameters and returns their ids by parameter name. */
  other?(world: World, object: string): Promise<string | Record<string, string>>
  body?: unknown
  /** Returns a body that refers to other objects. */
  bodyFor?(world: World, object: string): unknown
  /** The callers whose role is refused before the object is looked up. */
  refused?: readonly Caller[]
  /**
   * The status for permitted callers. `but` has other statuses for kinds of objects whose state forbids the
   * operation.
   */
  permitted: number
  but?: Partial<Record<string, number>>
}

const inTrash = (status: number) => ({
  'a score in the trash': status,
  'a score in the trash that is shared with users': status,
})
const read = {
  objects: scores,
  needs: 'reader',
  anonymous: true,
  takesKey: true,
  method: 'GET',
  permitted: 200,
} as const
const write = { objects: scores, needs: 'writer', permitted: 200, but: inTrash(409) } as const
/** A track of the score's owner that everyone with access to the score can hear. */
const ofTrack = {
  path: '/scores/{}/tracks/{track}',
  other: ({ app }: World, score: string) => newTrack(app, score),
} as const
/** The same with a recording that the server stores. */
const ofRecording = {
  ...ofTrack,
  other: ({ app }: World, score: string) => newRecording(app, score),
} as const
const ofUpload = { objects: uploads, needs: 'owner', permitted: 200 } as const
/** A grant to a user that all callers can see. */
const knownToAll = ({ app, visibleUser: bystander }: World, id: string) =>
  give(app, { on: 'score', id }, { user: bystander.id }, 'read')
const changeCollection = {
  objects: collections,
  needs: 'writer',
  but: { 'a collection in the trash that is shared with users': 409 },
} as const

const ofOrganization = { objects: organizations, needs: 'administrator', permitted: 200 } as const

/** Individual accounts have no classes. */
const ofClasses = { objects: classes, needs: 'administrator', refused: ['outsider'] } as const
const changeClass = { ...ofClasses, but: { 'an archived class': 409 } } as const
/** A published assignment for the whole class. */
const ofAssignment = {
  path: '/classes/{}/assignments/{assignment}',
  other: (world: World, schoolClass: string) => newAssignmentIn(world, schoolClass),
} as const
const changeAssignment = { ...changeClass, ...ofAssignment } as const

/** Automatic groups, whose members are derived, cannot be changed. */
const changeGroup = {
  objects: groups,
  needs: 'administrator',
  but: {
    'a subgroup of an archived class': 409,
    'the students of a class': 403,
    'the teachers of a class': 403,
    'a group of no class': 403,
  },
} as const

const atAssignment = '/classes/{class}/assignments/{}/submissions'
const ofWork = {
  objects: assignments,
  needs: 'administrator',
  refused: ['outsider'],
  other: classOf,
  permitted: 200,
} as const

const atSubmission = '/classes/{class}/assignments/{assignment}/submissions/{}'
/** The submission belongs to Sam. */
const ofSubmission = {
  objects: submissions,
  needs: 'administrator',
  refused: ['outsider'],
  other: placeOf,
} as const
const changeSubmission = { ...ofSubmission, but: { 'a submission in an archived class': 409 } } as const
/** Tess wrote the comment. */
const ofItsComment = {
  ...changeSubmission,
  path: `${atSubmission}/comments/{comment}`,
  async other(world: World, submission: string) {
    const comment = await storeSubmissionComment(world.app, submission, world.owner)
    return { ...(await placeOf(world, submission)), comment }
  },
} as const

const comment = { ...write, takesKey: true } as const
/** The score's owner wrote the comment. */
const ofComment = {
  ...comment,
  path: '/scores/{}/comments/{comment}',
  other: ({ app }: World, score: string) => newComment(app, score),
  permitted: 204,
} as const
const resolvedPath = '/scores/{}/comments/{comment}/resolved'

/** Students and individual accounts have no libraries. */
const ofLibraries = { objects: own, needs: 'owner', refused: withoutLibraries, permitted: 200 } as const
const ofResource = { objects: resources, refused: withoutLibraries, permitted: 200 } as const

const rows: { readonly [Id in keyof typeof operations]: Row } = {
  getAuthenticatedUser: { objects: own, needs: 'owner', method: 'GET', path: '/me', permitted: 200 },
  getUser: {
    objects: users,
    needs: 'reader',
    anonymous: true,
    method: 'GET',
    path: '/users/{}',
    permitted: 200,
  },
  getUserScores: {
    objects: users,
    needs: 'reader',
    anonymous: true,
    method: 'GET',
    path: '/users/{}/scores',
    permitted: 200,
  },
  getUserLikes: {
    objects: users,
    needs: 'reader',
    anonymous: true,
    method: 'GET',
    path: '/users/{}/likes',
    permitted: 200,
  },
  createScore: {
    objects: own,
    needs: 'owner',
    method: 'POST',
    path: '/scores',
    body: emptyPiano(),
    permitted: 200,
  },
  listEvents: { objects: own, needs: 'owner', method: 'GET', path: '/events', permitted: 200 },
  listOrganizationEvents: { ...ofOrganization, method: 'GET', path: '/organizations/events' },
  listInstruments: {
    objects: own,
    needs: 'owner',
    method: 'GET',
    path: '/instruments',
    permitted: 200,
  },
  convertScore: {
    objects: own,
    needs: 'owner',
    anonymous: true,
    method: 'POST',
    path: '/conversions/xml',
    body: { data: musicXml() },
    permitted: 200,
  },
  getScore: { ...read, path: '/scores/{}' },
  getScoreChanges: { ...read, path: '/scores/{}/changes', but: inTrash(409) },
  editScore: { ...write, method: 'PUT', path: '/scores/{}', body: { title: 'Changed' } },
  deleteScore: {
    objects: scores,
    needs: 'administrator',
    orHolder: true,
    method: 'DELETE',
    path: '/scores/{}',
    permitted: 204,
  },
  untrashScore: {
    objects: scores,
    needs: 'administrator',
    method: 'POST',
    path: '/scores/{}/untrash',
    permitted: 409,
    but: inTrash(204),
  },
  forkScore: { ...write, needs: 'reader', takesKey: true, method: 'POST', path: '/scores/{}/fork', body: {} },
  likeScore: {
    ...write,
    needs: 'reader',
    takesKey: true,
    method: 'PUT',
    path: '/scores/{}/like',
    permitted: 204,
  },
  unlikeScore: {
    objects: scores,
    needs: 'reader',
    takesKey: true,
    method: 'DELETE',
    path: '/scores/{}/like',
    permitted: 204,
  },
  recordScorePlay: { ...read, method: 'POST', path: '/scores/{}/plays', permitted: 204 },
  renewSharingKey: { ...write, needs: 'administrator', method: 'POST', path: '/scores/{}/sharingKey' },
  getScoreRevisions: { ...read, path: '/scores/{}/revisions' },
  getScoreRevision: { ...read, path: '/scores/{}/revisions/last' },
  compareScoreRevisions: { ...read, path: '/scores/{}/comparison' },
  createScoreRevision: { ...write, method: 'POST', path: '/scores/{}/revisions', body: { data: musicXml() } },
  getScoreRevisionData: { ...read, path: '/scores/{}/revisions/last/xml' },
  getScoreCollaborators: { ...read, anonymous: undefined, path: '/scores/{}/collaborators' },
  addScoreCollaborator: {
    ...write,
    needs: 'administrator',
    method: 'POST',
    path: '/scores/{}/collaborators',
    body: { userEmail: 'somebody@example.com' },
  },
  getScoreCollaborator: {
    ...read,
    anonymous: undefined,
    path: '/scores/{}/collaborators/{collaborator}',
    other: knownToAll,
  },
  removeScoreCollaborator: {
    objects: scores,
    needs: 'administrator',
    method: 'DELETE',
    path: '/scores/{}/collaborators/{collaborator}',
    other: knownToAll,
    permitted: 204,
  },
  createExportTask: {
    objects: scores,
    needs: 'reader',
    takesKey: true,
    method: 'POST',
    path: '/scores/{}/revisions/last/wav/task',
    permitted: 200,
  },
  getScoreComments: { ...read, path: '/scores/{}/comments' },
  postScoreComment: {
    ...comment,
    needs: 'reader',
    method: 'POST',
    path: '/scores/{}/comments',
    body: { comment: 'A' },
  },
  updateScoreComment: { ...ofComment, needs: 'owner', method: 'PUT', body: { comment: 'B' }, permitted: 200 },
  deleteScoreComment: { ...ofComment, needs: 'administrator', method: 'DELETE' },
  markScoreCommentResolved: { ...ofComment, needs: 'writer', method: 'PUT', path: resolvedPath },
  markScoreCommentUnresolved: { ...ofComment, needs: 'writer', method: 'DELETE', path: resolvedPath },
  listScoreTracks: { ...read, path: '/scores/{}/tracks' },
  addScoreTrack: {
    ...write,
    takesKey: true,
    method: 'POST',
    path: '/scores/{}/tracks',
    body: { url: 'https://youtu.be/dQw4w9WgXcQ' },
  },
  getScoreTrack: { ...read, ...ofTrack },
  updateScoreTrack: { ...write, ...ofTrack, takesKey: true, method: 'PUT', body: { title: 'B' } },
  deleteScoreTrack: { ...write, ...ofTrack, takesKey: true, method: 'DELETE', permitted: 204 },
  getScoreTrackFile: { ...read, ...ofRecording, path: '/scores/{}/tracks/{track}/file' },
  createScoreTrackLink: { ...read, ...ofRecording, method: 'POST', path: '/scores/{}/tracks/{track}/link' },
  createRecordingUpload: {
    objects: own,
    needs: 'owner',
    method: 'POST',
    path: '/recordingUploads',
    body: { size: 100 },
    permitted: 200,
  },
  getRecordingUpload: { ...ofUpload, method: 'GET', path: '/recordingUploads/{}' },
  uploadRecordingPart: {
    ...ofUpload,
    method: 'PUT',
    path: '/recordingUploads/{}/parts/{start}',
    other: async () => '0',
    body: wavOf(),
  },
  deleteRecordingUpload: { ...ofUpload, method: 'DELETE', path: '/recordingUploads/{}', permitted: 204 },
  getTask: { objects: tasks, needs: 'owner', method: 'GET', path: '/tasks/{}', permitted: 200 },
  listCollections: { objects: own, needs: 'owner', method: 'GET', path: '/collections', permitted: 200 },
  createCollection: {
    objects: own,
    needs: 'owner',
    method: 'POST',
    path: '/collections',
    body: { title: 'New' },
    permitted: 200,
  },
  getCollection: {
    objects: collections,
    needs: 'reader',
    method: 'GET',
    path: '/collections/{}',
    permitted: 200,
  },
  editCollection: {
    ...changeCollection,
    method: 'PUT',
    path: '/collections/{}',
    body: { title: 'Changed' },
    permitted: 200,
  },
  deleteCollection: {
    objects: collections,
    needs: 'owner',
    orHolder: true,
    method: 'DELETE',
    path: '/collections/{}',
    permitted: 204,
  },
  untrashCollection: {
    objects: any,
    needs: 'owner',
    method: 'POST',
    path: '/collections/{}/untrash',
    permitted: 400,
  },
  listCollectionScores: {
    objects: collections,
    needs: 'reader',
    method: 'GET',
    path: '/collections/{}/scores',
    permitted: 200,
  },
  addScoreToCollection: {
    ...changeCollection,
    method: 'PUT',
    path: '/collections/{}/scores/{score}',
    other: ({ score, outsider }) => score('public', outsider),
    permitted: 200,
  },
  deleteScoreFromCollection: {
    ...changeCollection,
    method: 'DELETE',
    path: '/collections/{}/scores/{score}',
    async other({ app, score, outsider, openOwner }, collection) {
      const id = await score('public', outsider)
      await addCollectionScore(app, collection, id, openOwner)
      return id
    },
    permitted: 204,
  },
  listCollectionCollaborators: {
    objects: collections,
    needs: 'reader',
    method: 'GET',
    path: '/collections/{}/collaborators',
    permitted: 200,
  },
  addCollectionCollaborator: {
    ...changeCollection,
    needs: 'administrator',
    method: 'POST',
    path: '/collections/{}/collaborators',
    body: { userEmail: 'somebody@example.com' },
    permitted: 200,
  },
  removeCollectionCollaborator: {
    ...changeCollection,
    needs: 'administrator',
    method: 'DELETE',
    path: '/collections/{}/collaborators/{collaborator}',
    other: ({ app, openOwner }, id) => give(app, { on: 'collection', id }, { user: openOwner.id }, 'read'),
    permitted: 204,
  },
  listOrganizationUsers: { ...ofOrganization, method: 'GET', path: '/organizations/users' },
  countOrgaUsers: { ...ofOrganization, method: 'GET', path: '/organizations/users/count' },
  createOrganizationUser: {
    ...ofOrganization,
    method: 'POST',
    path: '/organizations/users',
    bodyFor: ({ app }) => ({ username: `n${app.ctx.newId()}`, password: 'correct horse' }),
  },
  updateOrganizationUser: {
    objects: accounts,
    needs: 'administrator',
    method: 'PUT',
    path: '/organizations/users/{}',
    body: { firstname: 'Other' },
    permitted: 200,
  },
  removeOrganizationUser: {
    objects: accounts,
    needs: 'administrator',
    method: 'DELETE',
    path: '/organizations/users/{}',
    permitted: 204,
  },
  listOrganizationInvitations: {
    objects: organizations,
    needs: 'administrator',
    method: 'GET',
    path: '/organizations/invitations',
    permitted: 200,
  },
  createOrganizationInvitation: {
    objects: organizations,
    needs: 'administrator',
    method: 'POST',
    path: '/organizations/invitations',
    body: {},
    permitted: 200,
  },
  removeOrganizationInvitation: {
    objects: invitations,
    needs: 'administrator',
    method: 'DELETE',
    path: '/organizations/invitations/{}',
    permitted: 204,
  },
  createOrganizationUserSigninLink: {
    objects: members,
    needs: 'administrator',
    method: 'POST',
    path: '/organizations/users/{}/signinLink',
    body: {},
    permitted: 200,
  },
  createOrganizationUserAccessToken: {
    objects: members,
    needs: 'administrator',
    method: 'POST',
    path: '/organizations/users/{}/accessToken',
    body: { scopes: ['scores'] },
    permitted: 200,
  },
  listClasses: {
    objects: own,
    needs: 'owner',
    refused: ['outsider'],
    method: 'GET',
    path: '/classes',
    permitted: 200,
  },
  createClass: {
    objects: own,
    needs: 'owner',
    refused: ['outsider', 'student', 'otherStudent'],
    method: 'POST',
    path: '/classes',
    body: { name: 'New' },
    permitted: 200,
  },
  getClass: { ...ofClasses, needs: 'reader', method: 'GET', path: '/classes/{}', permitted: 200 },
  updateClass: {
    ...changeClass,
    method: 'PUT',
    path: '/classes/{}',
    body: { name: 'Changed' },
    permitted: 200,
  },
  archiveClass: { ...ofClasses, method: 'POST', path: '/classes/{}/archive', permitted: 200 },
  unarchiveClass: {
    ...ofClasses,
    method: 'DELETE',
    path: '/classes/{}/archive',
    permitted: 409,
    but: { 'an archived class': 200 },
  },
  activateClass: {
    ...ofClasses,
    method: 'POST',
    path: '/classes/{}/activate',
    permitted: 409,
    but: { 'a class that is not active yet': 200 },
  },
  addClassUser: {
    ...changeClass,
    method: 'PUT',
    path: '/classes/{}/users/{user}',
    other: async ({ as }) => as.teacherOfAnotherClass.id,
    permitted: 204,
  },
  deleteClassUser: {
    ...changeClass,
    orHolder: true,
    method: 'DELETE',
    path: '/classes/{}/users/{user}',
    other: async ({ as }) => as.student.id,
    permitted: 204,
  },
  createTestStudentAccount: {
    ...changeClass,
    method: 'POST',
    path: '/classes/{}/testStudent',
    permitted: 200,
  },
  enrollClass: {
    objects: enrollmentCodes,
    needs: 'reader',
    refused: ['outsider'],
    method: 'POST',
    path: '/classes/enroll/{}',
    permitted: 200,
    but: { 'the code of an archived class': 409 },
  },
  listAssignments: {
    ...ofClasses,
    needs: 'reader',
    method: 'GET',
    path: '/classes/{}/assignments',
    permitted: 200,
  },
  createClassAssignment: {
    ...changeClass,
    method: 'POST',
    path: '/classes/{}/assignments',
    body: { title: 'Waltz' },
    permitted: 200,
  },
  getAssignment: { ...ofClasses, ...ofAssignment, needs: 'reader', method: 'GET', permitted: 200 },
  updateClassAssignment: { ...changeAssignment, method: 'PUT', body: { title: 'Changed' }, permitted: 200 },
  deleteAssignment: { ...changeAssignment, method: 'DELETE', permitted: 204 },
  copyAssignment: {
    ...changeAssignment,
    method: 'POST',
    path: '/classes/{}/assignments/{assignment}/copy',
    bodyFor: (_world, classroom) => ({ classroom }),
    permitted: 200,
  },
  archiveAssignment: {
    ...changeAssignment,
    method: 'POST',
    path: '/classes/{}/assignments/{assignment}/archive',
    permitted: 200,
  },
  unarchiveAssignment: {
    ...changeAssignment,
    method: 'DELETE',
    path: '/classes/{}/assignments/{assignment}/archive',
    other: (world, schoolClass) => newAssignmentIn(world, schoolClass, 'archived'),
    permitted: 200,
  },
  listEduResources: { ...ofLibraries, method: 'GET', path: '/eduResources' },
  createEduResource: {
    ...ofLibraries,
    method: 'POST',
    path: '/eduResources',
    body: { type: 'folder', title: 'New' },
  },
  listEduLibraries: { ...ofLibraries, method: 'GET', path: '/eduResources/libraries' },
  getEduResource: { ...ofResource, needs: 'reader', method: 'GET', path: '/eduResources/{}' },
  updateEduResource: {
    ...ofResource,
    needs: 'administrator',
    method: 'PUT',
    path: '/eduResources/{}',
    body: { title: 'Changed' },
  },
  deleteEduResource: {
    ...ofResource,
    needs: 'administrator',
    method: 'DELETE',
    path: '/eduResources/{}',
    permitted: 204,
  },
  moveEduResource: {
    ...ofResource,
    needs: 'administrator',
    method: 'POST',
    path: '/eduResources/{}/move',
    body: { destination: 'root' },
  },
  copyEduResource: {
    ...ofResource,
    needs: 'reader',
    method: 'POST',
    path: '/eduResources/{}/copy',
    body: { destination: 'root' },
  },
  copyEduResourceToDemoClass: {
    ...ofResource,
    needs: 'reader',
    method: 'POST',
    path: '/eduResources/{}/copyToDemoClass',
  },
  useEduResourceInClass: {
    ...ofResource,
    objects: resourcesOfSchool,
    needs: 'reader',
    method: 'POST',
    path: '/eduResources/{}/useInClass',
    async bodyFor({ app, school, as }) {
      const teachers = [as.owner, as.teacher, as.teacherOfAnotherClass]
      return { classroom: (await newClass(app, school, { teachers })).id }
    },
  },
  updateEduResourceAssignment: {
    ...ofResource,
    needs: 'administrator',
    method: 'PUT',
    path: '/eduResources/{}/assignment',
    body: { title: 'Changed' },
  },
  getSubmissions: { ...ofWork, needs: 'reader', method: 'GET', path: atAssignment },
  createSubmission: {
    ...ofWork,
    objects: works,
    needs: 'owner',
    method: 'PUT',
    path: atAssignment,
    body: {},
    but: { 'an assignment in an archived class': 409 },
  },
  returnSubmissions: {
    ...ofWork,
    method: 'POST',
    path: `${atAssignment}/return`,
    body: {},
    but: { 'an assignment in an archived class': 409 },
  },
  exportSubmissionsReviewsAsCsv: { ...ofWork, method: 'GET', path: `${atAssignment}/csv` },
  exportSubmissionsReviewsAsExcel: { ...ofWork, method: 'GET', path: `${atAssignment}/excel` },
  getSubmission: { ...ofSubmission, needs: 'reader', method: 'GET', path: atSubmission, permitted: 200 },
  editSubmission: {
    ...changeSubmission,
    method: 'PUT',
    path: atSubmission,
    body: { grade: 5 },
    permitted: 200,
  },
  deleteSubmission: { ...changeSubmission, method: 'DELETE', path: atSubmission, permitted: 200 },
  getSubmissionHistory: { ...ofSubmission, method: 'GET', path: `${atSubmission}/history`, permitted: 200 },
  getSubmissionComments: {
    ...ofSubmission,
    needs: 'reader',
    method: 'GET',
    path: `${atSubmission}/comments`,
    permitted: 200,
  },
  postSubmissionComment: {
    ...changeSubmission,
    needs: 'reader',
    method: 'POST',
    path: `${atSubmission}/comments`,
    body: { comment: 'A' },
    permitted: 200,
  },
  updateSubmissionComment: {
    ...ofItsComment,
    needs: 'owner',
    method: 'PUT',
    body: { comment: 'B' },
    permitted: 200,
  },
  deleteSubmissionComment: { ...ofItsComment, method: 'DELETE', permitted: 204 },
  listClassStudentSubmissions: {
    ...ofClasses,
    method: 'GET',
    path: '/classes/{}/students/{user}/submissions',
    other: async ({ as }) => as.student.id,
    permitted: 200,
  },
  getGradebook: { ...ofClasses, method: 'GET', path: '/classes/{}/gradebook', permitted: 200 },
  getScoreSubmissions: {
    ...read,
    anonymous: undefined,
    takesKey: undefined,
    path: '/scores/{}/submissions',
  },
  listGroups: {
    objects: groupsOfClasses,
    needs: 'reader',
    refused: ['outsider'],
    method: 'GET',
    path: '/groups',
    permitted: 200,
  },
  createGroup: {
    objects: groupsOfClasses,
    needs: 'administrator',
    refused: ['outsider'],
    method: 'POST',
    path: '/groups',
    bodyFor: (_world, classroom) => ({ type: 'classStudentsSubGroup', classroom }),
    permitted: 200,
    but: { 'the groups of an archived class': 409 },
  },
  getGroupDetails: { objects: groups, needs: 'reader', method: 'GET', path: '/groups/{}', permitted: 200 },
  renameGroup: {
    ...changeGroup,
    method: 'PUT',
    path: '/groups/{}',
    body: { name: 'Changed' },
    permitted: 200,
  },
  deleteGroup: { ...changeGroup, method: 'DELETE', path: '/groups/{}', permitted: 204 },
  listGroupUsers: {
    objects: groups,
    needs: 'reader',
    method: 'GET',
    path: '/groups/{}/users',
    permitted: 200,
  },
  addGroupUser: {
    ...changeGroup,
    method: 'POST',
    path: '/groups/{}/users',
    bodyFor: ({ as }) => ({ user: as.otherStudent.id }),
    permitted: 200,
  },
  removeGroupUser: {
    ...changeGroup,
    method: 'DELETE',
    path: '/groups/{}/users/{user}',
    other: async ({ as }) => as.student.id,
    permitted: 204,
  },
  getGroupScores: {
    objects: groups,
    needs: 'administrator',
    orHolder: true,
    method: 'GET',
    path: '/groups/{}/scores',
    permitted: 200,
  },
}

/** The status for a caller with a token. A session that has ended gets the answer for `anonymous` instead of 401. */
function expectedStatus(row: Row, objectName: string, caller: Caller): number {
  if (caller === 'revoked') return 401
  if (caller === 'withoutTheScope') return 403
  if (caller === 'anonymous' && !row.anonymous) return 401
  if (row.refused?.includes(caller)) return 403
  const { relation: relationOf, holders = [] } = row.objects[objectName] as ObjectKind
  const relation = relationOf(caller, row.takesKey === true)
  if (relation === 'none') return 404
  const isEnough = relations.indexOf(relation) >= relations.indexOf(row.needs)
  if (!isEnough && !(row.orHolder && holders.includes(caller))) return 403
  return row.but?.[objectName] ?? row.permitted
}

/** Operations whose permissions also depend on another object in the request. */
const otherForms: Readonly<Record<string, Row>> = {
  'copyAssignment into a library': {
    ...ofClasses,
    ...ofAssignment,
    method: 'POST',
    path: '/classes/{}/assignments/{assignment}/copy',
    body: { libraryParent: 'root' },
    permitted: 200,
  },
  'listEduResources of a folder': {
    ...ofResource,
    objects: folders,
    needs: 'reader',
    method: 'GET',
    path: '/eduResources?parent={}',
  },
  'moveEduResource into the library of the organization': {
    ...ofResource,
    needs: 'administrator',
    method: 'POST',
    path: '/eduResources/{}/move',
    body: { destination: 'organization' },
  },
  'copyEduResource into the library of the organization': {
    ...ofResource,
    needs: 'reader',
    method: 'POST',
    path: '/eduResources/{}/copy',
    body: { destination: 'organization' },
  },
}

const isSessionCaller = (caller: Caller): caller is SessionCaller =>
  (sessionCallers as readonly Caller[]).includes(caller)

/** Compares the answer to a request by session with another answer to it. After a change, the objects differ. */
function expectSameAnswer(caller: Caller, bySession: Reply, other: Reply, isChange: boolean): void {
  expect([caller, 'by session', bySession.status]).toEqual([caller, 'by session', other.status])
  if (isChange) return
  expect(bySession.body).toEqual(other.body)
  expect(bySession.headers.get('etag')).toBe(other.headers.get('etag'))
}

describeEachDatabase('policy', (databases) => {
  // Without a worker, because tasks are only enqueued here.
  const app = useApp(databases, { role: 'api', openTasks: '10000' })
  let world: World
  let bySession: Readonly<Record<SessionCaller, Client>>
  // Sessions and tokens differ in how a request is authenticated only, so one database is enough to compare them.
  const comparesSessions = databases.dialect === 'sqlite'

  beforeAll(async () => {
    world = await makeWorld(app)
    if (comparesSessions) bySession = await signInAll(world)
  })

  it('has a row for every operation with its method, its path and whether it accepts anonymous requests', () => {
    const table = Object.entries(rows).map(([id, { method, path, anonymous = false }]) => [
      id,
      method,
      path.replaceAll(/\{\w*\}/g, '{}'),
      anonymous,
    ])
    const built = Object.values(operations).map(({ id, method, path, anonymous = false }) => [
      id,
      method,
      path
        .replace('{revision}', 'last')
        .replace('{format}', path.endsWith('/task') ? 'wav' : 'xml')
        .replaceAll(/\{\w+\}/g, '{}'),
      anonymous,
    ])
    expect(table.sort()).toEqual(built.sort())
  })

  it('returns 404 for a Google Drive file id in every operation on scores', async () => {
    const ofScores = Object.values(operations).filter(({ path }) => path.includes('{score}'))
    for (const { id, method, path } of ofScores) {
      const address = path
        .replace('{score}', 'drive-1AbC_dEf-2')
        .replace('{collection}', 'app')
        .replace('{revision}', 'last')
        .replace('{format}', 'wav')
        .replace(/\{\w+\}/, missing)
      const { status, body } = await world.owner.request(method, address, rows[id].body)
      expect([id, status, body.code]).toEqual([id, 404, 'GOOGLE_DRIVE_SCORE_NOT_FOUND'])
    }
  })

  it.runIf(comparesSessions)('treats a browser whose session has ended as an anonymous client', async () => {
    const score = await world.score('public', world.outsider)
    expect((await bySession.revoked.get(`/scores/${score}`)).status).toBe(200)
    expect((await world.as.revoked.get(`/scores/${score}`)).status).toBe(401)
    expect((await bySession.revoked.get('/me')).status).toBe(401)
  })

  for (const [name, row] of Object.entries<Row>({ ...rows, ...otherForms })) {
    describe(name, () => {
      // Requests for a missing object are the same for many kinds of objects. One of each is enough.
      const forMissing = new Map<string, Promise<Reply>>()

      // Lists of everything that a user has cost seconds if PostgreSQL does not know how much that is.
      if (row.method === 'GET' && row.objects === own)
        beforeAll(() =>
          analyze(app.ctx.db, 'scores', 'collections', 'collection_scores', 'grants', 'groups', 'users'),
        )

      it.each(Object.keys(row.objects))('%s', async (objectName) => {
        const { make, query } = row.objects[objectName] as ObjectKind
        async function makeObject() {
          const object = await make(world)
          const other = (await row.other?.(world, object)) ?? ''
          const queryString = (await query?.(world, object)) ?? ''
          const otherOf = (name: string) => (typeof other === 'string' ? other : (other[name] ?? ''))
          const addressOf = (id: string) =>
            row.path.replace('{}', id).replace(/\{(\w+)\}/g, (_, name) => otherOf(name)) + queryString
          return { id: object, addressOf }
        }
        const send = async (caller: Caller, address: string, id: string, client: Client = world.as[caller]) =>
          client.request(row.method, address, (await row.bodyFor?.(world, id)) ?? row.body)
        const sendForMissing = (caller: Caller, address: string) => {
          const key = `${caller} ${address}`
          const reply = forMissing.get(key) ?? send(caller, address, missing)
          forMissing.set(key, reply)
          return reply
        }

        const table = callers.map((caller) => ({ caller, status: expectedStatus(row, objectName, caller) }))
        const shared = await makeObject()
        const actual = table.map(async ({ caller, status }) => {
          // Each permitted change gets a new object, so that every caller finds it in its initial state.
          const { id, addressOf } = row.method !== 'GET' && status < 300 ? await makeObject() : shared
          const reply = await send(caller, addressOf(id), id)
          if (comparesSessions && isSessionCaller(caller)) {
            const isChange = row.method !== 'GET' && status < 300
            const same = isChange ? await makeObject() : { id, addressOf }
            const own = await send(caller, same.addressOf(same.id), same.id, bySession[caller])
            // The cookie of a session that has ended is no reason to refuse what an anonymous client may see.
            const comparable =
              caller === 'revoked' ? await send('anonymous', same.addressOf(same.id), same.id) : reply
            expectSameAnswer(caller, own, comparable, row.method !== 'GET' && own.status < 300)
          }
          if (reply.status === 404)
            expectAsForMissing(reply, await sendForMissing(caller, addressOf(missing)), id)
          return { caller, status: reply.status }
        })
        expect(await Promise.all(actual)).toEqual(table)
      })
    })
  }
})
