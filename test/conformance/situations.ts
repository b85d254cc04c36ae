import type { Person, TestApp } from '../support/app.ts'
import { newAssignment, newAssignmentIn } from '../support/assignments.ts'
import { newClass, newSubGroup } from '../support/classes.ts'
import type { Client, Reply } from '../support/client.ts'
import { newCollection } from '../support/collections.ts'
import { newComment, placesIn } from '../support/comments.ts'
import { newFolder, newResource } from '../support/resources.ts'
import type { Known } from '../support/schema-values.ts'
import { makeSchool, type School } from '../support/school.ts'
import { base64, emptyPiano, musicXml } from '../support/scores.ts'
import { newSubmission, storeSubmissionComment } from '../support/submissions.ts'
import { newRecording, wavOf } from '../support/recordings.ts'

/**
 * A caller with values that belong together: the submission is one to the assignment, the comment one on the submission, and so
 * on. The caller does not have the right to every operation. A name that begins with the id of an operation, such as
 * `untrashScore.score`, counts for this operation only, and one that begins with `body.` for bodies only.
 */
export interface Situation {
  readonly caller: Client
  readonly known: Known
}

/** The callers of a school. A caller that occurs more often sends more requests. */
export interface FuzzedSchool {
  readonly callers: readonly Client[]
  readonly situations: readonly Situation[]
  /** Ids and other values of the school, for requests in which they need not belong together. */
  readonly ids: Known
}

/**
 * Creates a school with a class, scores and submissions.
 * @param n number of the school, for its usernames
 */
export async function makeFuzzedSchool(app: TestApp, n: number): Promise<FuzzedSchool> {
  const people = await makeSchool(app, `.${n}`)
  const { ada, tess, theo, sam, sol, otto } = people
  const library = await makeLibrary(app, tess, theo)
  const teaching = await makeTeaching(app, people, library.score)
  const foreign = await created(otto.post('/scores', { ...emptyPiano(), privacy: 'public' }))
  const invitation = await created(
    ada.post('/organizations/invitations', { email: `new.${n}@example.com`, organizationRole: 'teacher' }),
  )
  // None of the callers is named, so that all of them keep their rights.
  const ofTeacher: Known = {
    ...values,
    ...library.known,
    ...teaching.known,
    user: [theo.id, sol.id],
    'listClassStudentSubmissions.user': [sam.id],
    'removeGroupUser.user': [sol.id],
    mentions: [theo.id],
    invitation: [invitation.id],
    username: Array.from({ length: 10 }, (_, i) => `new.${n}.${i}`),
  }
  return {
    callers: [tess, tess, tess, ada, sam, otto, app.anonymous],
    situations: [
      { caller: tess, known: ofTeacher },
      { caller: tess, known: { ...ofTeacher, ...fieldsOf.student } },
      { caller: ada, known: { ...ofTeacher, resource: [await newResource(ada, 'Ländler')] } },
      { caller: sam, known: { ...ofTeacher, ...teaching.ofStudent, ...fieldsOf.teacher } },
      {
        caller: otto,
        known: {
          ...values,
          user: ['me'],
          score: [foreign.id],
          comment: [await newComment(app, foreign.id)],
          collection: ['root', 'app', 'trash', 'allScores', 'collaborations', 'likes'],
        },
      },
    ],
    ids: { ...ofTeacher, ...library.others, score: [...library.scores, foreign.id] },
  }
}

/** Values of bodies and queries, whatever the caller. A field without values has no valid one. */
const values: Known = {
  next: [],
  previous: [],
  googleDriveFolder: [],
  userToken: [],
  source: [],
  sharingKey: [],
  // Most formats take an engine, and time. The requests with any values have all of them.
  'getScoreRevisionData.format': ['json', 'xml', 'mxl'],
  url: ['https://example.com/waltz.mp3'],
  instrument: ['piano', 'violin'],
  group: ['keyboards', 'strings'],
  dueDate: ['2090-01-01T00:00:00.000Z'],
  scheduledDate: ['2089-01-01T00:00:00.000Z'],
  'createClassAssignment.body.needed': ['title'],
  'addScoreCollaborator.body.needed': ['user', 'aclRead'],
  'addCollectionCollaborator.body.needed': ['user', 'aclRead'],
  'addScoreCollaborator.body.group': [],
  'addCollectionCollaborator.body.group': [],
  userEmail: [],
  aclRead: [true],
  'body.comment': ['Good', 'Louder, please'],
  locale: ['de', 'en-GB'],
  password: ['correct horse'],
  destinationPath: ['/', '/classes'],
  fifths: [-7, 0, 7],
  nbBeats: [2, 3, 4],
  beatType: [2, 4, 8],
}

/** The fields of a submission that only this role may change, without valid values for the other one. */
const fieldsOf: Record<'teacher' | 'student', Known> = {
  student: { attachments: [], playback: [], submit: [], answers: [] },
  teacher: { draftGrade: [], grade: [], exercisesIds: [], return: [], rubric: [] },
}

/** A teacher's scores and what belongs to the first of them. */
async function makeLibrary(app: TestApp, tess: Person, theo: Person) {
  const data = musicXml({ parts: ['Flute', 'Violin'] })
  const scores = await Promise.all(
    ['private', 'organizationPublic', 'privateLink', 'private'].map((privacy) =>
      tess.post('/scores', { data, privacy }),
    ),
  )
  const [score, , , trashed] = scores.map(({ body }) => body.id as string) as [string, string, string, string]
  await tess.delete(`/scores/${trashed}`)
  const { parts, measures, place } = await placesIn(tess, score)
  const collection = await newCollection(app, tess, 'Mine')
  await tess.put(`/collections/${collection}/scores/${score}`)
  const shareWith = async (path: string) =>
    (await created(tess.post(`${path}/collaborators`, { user: theo.id, aclRead: true }))).id
  const collaborator = await shareWith(`/scores/${score}`)
  const known: Known = {
    score: [score],
    'untrashScore.score': [trashed],
    revision: ['last', scores[0]?.headers.get('x-flat-score-revision') ?? ''],
    collaborator: [collaborator],
    'removeCollectionCollaborator.collaborator': [await shareWith(`/collections/${collection}`)],
    track: [await newRecording(app, score)],
    upload: [(await created(tess.post('/recordingUploads', { size: wavOf().length }))).id],
    'uploadRecordingPart.start': [0],
    'addScoreTrack.upload': [],
    comment: [await newComment(app, score)],
    collection: [collection],
    'createScore.collection': [collection, 'root'],
    task: [(await created(tess.post(`/scores/${score}/revisions/last/wav/task`))).id],
    parts: [parts[0], 'P1'],
    partUuid: parts,
    context: [place],
    synchronizationPoints: [
      { type: 'measure', measureUuid: measures[0], time: 0 },
      { type: 'end', time: 10 },
    ],
    data: [data],
  }
  /** Values that fit no operation, or not always. */
  const others: Known = {
    revision: ['last', ...scores.map(({ headers }) => headers.get('x-flat-score-revision'))],
    sharingKey: [scores[2]?.body.sharingKey, 'f'.repeat(128)],
    collection: ['app', 'root', 'trash', 'allScores', 'collaborations', 'likes', collection],
    data: [
      data,
      base64(data),
      data.slice(0, -20),
      data.replaceAll('1', '999999999999'),
      '{"score-partwise":{}}',
    ],
  }
  return { score, known, others, scores: scores.map(({ body }) => body.id as string) }
}

/** A teacher's class with work of a student, and a library. */
async function makeTeaching(app: TestApp, { id, tess, theo, sam, sol }: School, score: string) {
  const schoolClass = await newClass(app, id, { teachers: [tess, theo], students: [sam, sol] })
  const inState = async (state: 'inactive' | 'archived') =>
    (await newClass(app, id, { teachers: [tess, theo], students: [sam], state })).id
  const template = { type: 'scoreTemplate', attachments: [{ type: 'flat', score, sharingMode: 'copy' }] }
  const assignment = await newAssignment(tess, schoolClass, template)
  const draft = await newAssignment(tess, schoolClass, { state: 'draft' })
  const { id: submission } = await newSubmission(sam, schoolClass, assignment)
  const comment = await storeSubmissionComment(app, submission, tess)
  const ownComment = await storeSubmissionComment(app, submission, sam)
  const folder = await newFolder(tess)
  // Sam is in every selection of recipients, so that an assignment stays visible to him after it was changed.
  const group = await newSubGroup(tess, schoolClass, 'Violins', sam, sol)
  const known: Known = {
    class: [schoolClass.id],
    classroom: [schoolClass.id],
    'activateClass.class': [await inState('inactive')],
    'unarchiveClass.class': [await inState('archived')],
    // The students of the tests have joined already.
    enrollmentCode: [schoolClass.id],
    assignment: [assignment.id],
    'body.assignment': [draft.id],
    'unarchiveAssignment.assignment': [await newAssignmentIn({ app }, schoolClass.id, 'archived')],
    submission: [submission],
    submissions: [submission],
    'updateSubmissionComment.comment': [comment],
    'deleteSubmissionComment.comment': [comment],
    group: [group],
    classGroupIds: [group],
    assignedStudents: [sam.id],
    members: [sam.id, sol.id],
    attachments: [
      { type: 'link', url: 'https://example.com/' },
      { type: 'flat', score, sharingMode: 'read' },
    ],
    exercises: [{ id: 'first', type: 'rhythm', prompt: 'Clap', points: 2 }],
    resource: [await newResource(tess, 'Waltz', folder)],
    parent: ['root', folder],
    destination: ['root', folder],
    libraryParent: ['root', folder],
  }
  const ofStudent: Known = {
    'updateSubmissionComment.comment': [ownComment],
    'deleteSubmissionComment.comment': [ownComment],
    attachments: [{ type: 'link', url: 'https://example.com/' }],
  }
  return { known, ofStudent }
}

async function created(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
