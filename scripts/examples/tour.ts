import type { DemoServer, Member } from './record.ts'

/** A score of one measure. */
const music = (lyric: string, second: string) => `<?xml version="1.0" encoding="UTF-8"?>
<score-partwise version="4.0">
  <part-list><score-part id="P1"><part-name>Voice</part-name></score-part></part-list>
  <part id="P1">
    <measure number="1">
      <attributes><divisions>1</divisions><time><beats>2</beats><beat-type>4</beat-type></time></attributes>
      <note><pitch><step>G</step><octave>4</octave></pitch><duration>1</duration><type>quarter</type>
        <lyric><text>${lyric}</text></lyric></note>
      <note><pitch><step>${second}</step><octave>4</octave></pitch><duration>1</duration><type>quarter</type></note>
    </measure>
  </part>
</score-partwise>
`

/** Sends every operation at least once as an example. Later requests use what earlier ones made. */
export async function tour(server: DemoServer): Promise<void> {
  await accounts(server)
  const score = await scores(server)
  await commentsAndTracks(server, score)
  await sharing(server, score)
  await collections(server, score)
  await classes(server)
  await groups(server)
  await assignments(server, score)
  await submissions(server)
  await resources(server)
  await members(server)
  await server.teacher.example('listInstruments', { query: { q: 'alto recorder' } })
  await server.admin.example('listOrganizationEvents', { query: { types: 'submission.returned', limit: 1 } })
  await server.teacher.example('listEvents', { query: { types: 'score.revised', limit: 2 } })
  await server.teacher.example('getScoreChanges', { params: { score } })
}

async function accounts({ teacher, students: [student] }: DemoServer): Promise<void> {
  await teacher.example('getAuthenticatedUser')
  await teacher.example('getUser', { params: { user: student.id } })
}

/** Returns the id of a score of the teacher. */
async function scores({ teacher, students: [student], jobsDone }: DemoServer): Promise<string> {
  const [walk] = await teacher.send('listCollectionScores', {
    params: { collection: 'app' },
    query: { q: 'walk' },
  })
  if (!walk) throw new Error('The demo school has no such score')
  await teacher.example('getScore', { params: { score: walk.id } })
  await teacher.example('getUserScores', { params: { user: 'me' }, query: { limit: 2 } })

  await student.example('likeScore', { params: { score: walk.id } })
  await student.example('recordScorePlay', { params: { score: walk.id } })
  await student.example('getUserLikes', { params: { user: 'me' } })
  await student.example('unlikeScore', { params: { score: walk.id } })

  const created = await teacher.example('createScore', {
    body: {
      title: 'Bell Song',
      privacy: 'private',
      builderData: {
        scoreData: {
          fifths: 1,
          nbBeats: 2,
          beatType: 4,
          instruments: [{ group: 'vocals', instrument: 'soprano' }],
        },
      },
    },
  })
  // Only a large file is imported in a task.
  const large = music('Ding', 'E') + ' '.repeat(1024 * 1024)
  const imported = await teacher.example('createScore', {
    body: { title: 'Bell Song, imported', data: large, supportsTasks: true },
  })
  await jobsDone()
  await teacher.example('getTask', { params: { task: imported.id } })

  const { id } = created
  const params = { score: id }
  await teacher.example('editScore', { params, body: { composer: 'Tess Teacher', tags: ['bells', 'easy'] } })
  const data = music('Dong', 'D')
  await teacher.example('createScoreRevision', { params, body: { data, description: 'The second bell' } })
  await teacher.example('getScoreRevisions', { params })
  const [second, first] = await teacher.send('getScoreRevisions', { params })
  await teacher.example('compareScoreRevisions', {
    params,
    query: { from: first?.id ?? '', to: second?.id ?? '' },
  })
  await teacher.example('getScoreRevision', { params: { ...params, revision: 'last' } })
  await teacher.example('getScoreRevisionData', { params: { ...params, revision: 'last', format: 'xml' } })
  await teacher.example('convertScore', { params: { format: 'xml' }, body: { data: music('Ding', 'E') } })
  await teacher.example('createExportTask', {
    params: { ...params, revision: 'last', format: 'pdf' },
    body: {},
  })

  const copy = await teacher.example('forkScore', { params, body: { collection: 'root' } })
  await teacher.example('deleteScore', { params: { score: copy.id } })
  await teacher.example('untrashScore', { params: { score: copy.id } })
  return id
}

async function commentsAndTracks({ teacher }: DemoServer, score: string): Promise<void> {
  const params = { score }
  const comment = await teacher.example('postScoreComment', {
    params,
    body: { comment: 'Let the last note ring.' },
  })
  const ofComment = { ...params, comment: comment.id }
  await teacher.example('updateScoreComment', {
    params: ofComment,
    body: { comment: 'Let both notes ring.' },
  })
  await teacher.example('getScoreComments', { params })
  await teacher.example('markScoreCommentResolved', { params: ofComment })
  await teacher.example('markScoreCommentUnresolved', { params: ofComment })
  await teacher.example('deleteScoreComment', { params: ofComment })

  const { track } = await teacher.example('addScoreTrack', {
    params,
    body: { title: 'Recording', url: 'https://media.example/bell-song.mp3', state: 'completed' },
  })
  const ofTrack = { ...params, track: track.id }
  await teacher.example('updateScoreTrack', {
    params: ofTrack,
    body: { default: true, synchronizationPoints: [{ type: 'end', time: 4.5 }] },
  })
  await teacher.example('listScoreTracks', { params })
  await teacher.example('getScoreTrack', { params: ofTrack })
  await teacher.example('deleteScoreTrack', { params: ofTrack })
  await recordings({ teacher }, score)
}

/** The bytes are a WAV file without sound. */
async function recordings({ teacher }: Pick<DemoServer, 'teacher'>, score: string): Promise<void> {
  const silence = Buffer.from(
    'RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x08\0\0\0'.padEnd(
      52,
      '\x80',
    ),
    'latin1',
  )
  const { id: upload } = await teacher.example('createRecordingUpload', { body: { size: silence.length } })
  await teacher.example('uploadRecordingPart', { params: { upload, start: 0 }, body: silence })
  await teacher.example('getRecordingUpload', { params: { upload } })
  const body = { upload, title: 'Take 1', purpose: 'performanceSubmission', state: 'completed' } as const
  const { track } = await teacher.example('addScoreTrack', { params: { score }, body })
  const ofTrack = { score, track: track.id }
  await teacher.example('getScoreTrackFile', { params: ofTrack })
  await teacher.example('createScoreTrackLink', { params: ofTrack })
  const { id: unwanted } = await teacher.send('createRecordingUpload', { body: { size: 100 } })
  await teacher.example('deleteRecordingUpload', { params: { upload: unwanted } })
}

async function sharing({ teacher, students: [student] }: DemoServer, score: string): Promise<void> {
  const params = { score }
  const collaborator = await teacher.example('addScoreCollaborator', {
    params,
    body: { user: student.id, aclRead: true, aclWrite: true },
  })
  const ofCollaborator = { ...params, collaborator: collaborator.id ?? '' }
  await teacher.example('getScoreCollaborators', { params })
  await teacher.example('getScoreCollaborator', { params: ofCollaborator })
  await teacher.example('removeScoreCollaborator', { params: ofCollaborator })
  await teacher.send('editScore', { params, body: { privacy: 'privateLink' } })
  await teacher.example('renewSharingKey', { params })
}

async function collections({ teacher, students: [student] }: DemoServer, score: string): Promise<void> {
  const { id: collection } = await teacher.example('createCollection', { body: { title: 'Summer concert' } })
  const params = { collection }
  await teacher.example('editCollection', { params, body: { title: 'Autumn concert' } })
  await teacher.example('addScoreToCollection', { params: { collection, score } })
  await teacher.example('listCollections')
  await teacher.example('getCollection', { params })
  await teacher.example('listCollectionScores', { params, query: { sort: 'title', direction: 'asc' } })
  const collaborator = await teacher.example('addCollectionCollaborator', {
    params,
    body: { user: student.id },
  })
  await teacher.example('listCollectionCollaborators', { params })
  const ofCollaborator = { collection, collaborator: collaborator.id ?? '' }
  await teacher.example('removeCollectionCollaborator', { params: ofCollaborator })
  await teacher.example('deleteScoreFromCollection', { params: { collection, score } })
  await teacher.example('deleteCollection', { params })
}

async function classes({ teacher, students, class: strings, makeInactive }: DemoServer): Promise<void> {
  const [student, other] = students
  await teacher.example('listClasses', { query: { state: 'active' } })
  await teacher.example('getClass', { params: { class: strings } })
  const choir = await teacher.example('createClass', { body: { name: 'Choir', level: 'high', size: 24 } })
  const params = { class: choir.id }
  await teacher.example('updateClass', { params, body: { section: 'Evening' } })
  await makeInactive(choir.id)
  await teacher.example('activateClass', { params })
  await teacher.example('addClassUser', { params: { ...params, user: student.id } })
  await other.example('enrollClass', { params: { enrollmentCode: choir.enrollmentCode ?? '' } })
  await teacher.example('deleteClassUser', { params: { ...params, user: student.id } })
  await teacher.example('createTestStudentAccount', { params })
  await teacher.example('archiveClass', { params })
  await teacher.example('unarchiveClass', { params })
}

async function groups({ teacher, students, class: strings }: DemoServer): Promise<void> {
  const [student, other] = students
  const { id: group } = await teacher.example('createGroup', {
    body: {
      type: 'classStudentsSubGroup',
      classroom: strings,
      name: 'First violins',
      members: [student.id],
    },
  })
  const params = { group }
  await teacher.example('renameGroup', { params, body: { name: 'Second violins' } })
  await teacher.example('addGroupUser', { params, body: { user: other.id } })
  await teacher.example('listGroups', { query: { type: 'classStudentsSubGroup', classroom: strings } })
  await teacher.example('getGroupDetails', { params })
  await teacher.example('listGroupUsers', { params })
  await teacher.example('getGroupScores', { params })
  await teacher.example('removeGroupUser', { params: { group, user: other.id } })
  await teacher.example('deleteGroup', { params })
}

async function assignments({ teacher, class: strings }: DemoServer, score: string): Promise<void> {
  const params = { class: strings }
  await teacher.example('listAssignments', { params })
  const made = await teacher.example('createClassAssignment', {
    params,
    body: {
      type: 'newScore',
      title: 'A song of two bells',
      description: 'Write eight measures for two bells.',
      state: 'active',
      dueDate: '2026-09-15T16:00:00.000Z',
      maxPoints: 20,
      attachments: [{ type: 'flat', score, sharingMode: 'read' }],
    },
  })
  const ofAssignment = { ...params, assignment: made.id }
  await teacher.example('updateClassAssignment', {
    params: ofAssignment,
    body: { title: 'A song of three bells', dueDate: '2026-09-22T16:00:00.000Z' },
  })
  await teacher.example('getAssignment', { params: ofAssignment })
  await teacher.example('copyAssignment', { params: ofAssignment, body: { classroom: strings } })
  await teacher.example('archiveAssignment', { params: ofAssignment })
  await teacher.example('unarchiveAssignment', { params: ofAssignment })
  await teacher.example('deleteAssignment', { params: ofAssignment })
}

async function submissions({
  teacher,
  students: [student, other],
  class: strings,
}: DemoServer): Promise<void> {
  const assignments = await teacher.send('listAssignments', { params: { class: strings } })
  const assignment = assignments.find(({ title }) => title === 'Turn the Mill Wheel')?.id ?? ''
  const params = { class: strings, assignment }
  const { id: submission } = await student.example('createSubmission', { params, body: { submit: true } })
  const ofSubmission = { ...params, submission }
  await teacher.example('editSubmission', { params: ofSubmission, body: { draftGrade: 8 } })
  const comment = await teacher.example('postSubmissionComment', {
    params: ofSubmission,
    body: { comment: 'The wheel comes to an end very smoothly.' },
  })
  const ofComment = { ...ofSubmission, comment: comment.id ?? '' }
  await teacher.example('updateSubmissionComment', {
    params: ofComment,
    body: { comment: 'The wheel comes to a smooth end.' },
  })
  await teacher.example('getSubmissionComments', { params: ofSubmission })
  await teacher.example('returnSubmissions', { params, body: { submissions: [submission] } })
  await readSubmissions(teacher, student.id, ofSubmission)
  await teacher.example('deleteSubmissionComment', { params: ofComment })
  const started = await other.send('createSubmission', { params, body: {} })
  await teacher.example('deleteSubmission', { params: { ...params, submission: started.id } })
}

async function readSubmissions(
  teacher: Member,
  student: string,
  params: { class: string; assignment: string; submission: string },
): Promise<void> {
  const { class: schoolClass, assignment } = params
  const ofAssignment = { class: schoolClass, assignment }
  const { attachments } = await teacher.example('getSubmission', { params })
  await teacher.example('getSubmissions', { params: ofAssignment })
  await teacher.example('getSubmissionHistory', { params })
  await teacher.example('listClassStudentSubmissions', { params: { class: schoolClass, user: student } })
  await teacher.example('getScoreSubmissions', { params: { score: attachments[0]?.score ?? '' } })
  await teacher.example('getGradebook', { params: { class: schoolClass } })
  await teacher.example('exportSubmissionsReviewsAsCsv', { params: ofAssignment })
  await teacher.example('exportSubmissionsReviewsAsExcel', { params: ofAssignment })
}

async function resources({ teacher, class: strings }: DemoServer): Promise<void> {
  const folder = await teacher.send('createEduResource', { body: { type: 'folder', title: 'Bells' } })
  const { id: resource } = await teacher.example('createEduResource', {
    body: { type: 'assignment', title: 'Hear the interval', resource: { type: 'worksheet' } },
  })
  const params = { resource }
  await teacher.example('updateEduResource', {
    params,
    body: { sharingDescription: 'Five minutes of ear training', privacy: 'organizationPublic' },
  })
  await teacher.example('updateEduResourceAssignment', {
    params,
    body: {
      description: 'Listen, and choose what you hear.',
      exercises: [
        {
          id: 'bells',
          type: 'multipleChoice',
          prompt: 'Which interval do the bells sound?',
          choices: [
            { id: 'third', text: 'A third' },
            { id: 'fifth', text: 'A fifth' },
          ],
          solution: ['third'],
        },
      ],
    },
  })
  await teacher.example('listEduLibraries')
  await teacher.example('listEduResources', { query: { parent: 'root' } })
  await teacher.example('getEduResource', { params })
  await teacher.example('moveEduResource', { params, body: { destination: folder.id } })
  const copy = await teacher.example('copyEduResource', { params, body: { destination: 'root' } })
  await teacher.example('copyEduResourceToDemoClass', { params })
  await teacher.example('useEduResourceInClass', { params, body: { classroom: strings } })
  await teacher.example('deleteEduResource', { params: { resource: copy.id } })
}

async function members({ admin }: DemoServer): Promise<void> {
  const { id: user } = await admin.example('createOrganizationUser', {
    body: {
      username: 'nina.novak',
      firstname: 'Nina',
      lastname: 'Novak',
      password: 'a long first password',
      role: 'teacher',
    },
  })
  const params = { user }
  await admin.example('updateOrganizationUser', { params, body: { lastname: 'Novak-Berg' } })
  await admin.example('listOrganizationUsers', { query: { role: ['teacher'] } })
  await admin.example('countOrgaUsers', { query: { role: ['user'] } })
  await admin.example('createOrganizationUserSigninLink', { params, body: { destinationPath: '/account' } })
  await admin.example('createOrganizationUserAccessToken', { params, body: { scopes: ['scores.readonly'] } })
  await admin.example('removeOrganizationUser', { params })

  const invitation = await admin.example('createOrganizationInvitation', {
    body: { organizationRole: 'teacher' },
  })
  await admin.example('listOrganizationInvitations')
  await admin.example('removeOrganizationInvitation', { params: { invitation: invitation.id ?? '' } })
}
