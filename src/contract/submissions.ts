import Type from 'typebox'
import { MediaAttachment } from './attachments.ts'
import { named, Nullable, OneOf } from './schema.ts'

const AssignmentSubmissionState = named(
  'AssignmentSubmissionState',
  OneOf(['created', 'turnedIn', 'returned', 'graded']),
)

const AssignmentSubmissionPlayback = named(
  'AssignmentSubmissionPlayback',
  Type.Object({ score: Type.String(), nbPlayAttempt: Type.Number() }),
)

const external = Type.Object({ id: Type.String(), state: Type.String() })

export const AssignmentSubmission = named(
  'AssignmentSubmission',
  Type.Object({
    id: Type.String(),
    state: AssignmentSubmissionState,
    classroom: Type.String(),
    assignment: Type.String(),
    creator: Type.String(),
    creationDate: Type.String(),
    attachments: Type.Array(MediaAttachment),
    submissionDate: Type.Optional(Type.String()),
    returnDate: Type.Optional(Type.String()),
    returnCreator: Type.Optional(Type.String()),
    grade: Type.Optional(Nullable(Type.Number())),
    draftGrade: Type.Optional(Nullable(Type.Number())),
    maxPoints: Type.Optional(Type.Number()),
    exercisesIds: Type.Optional(Type.Array(Type.String())),
    playback: Type.Array(AssignmentSubmissionPlayback),
    comments: Type.Object({ total: Type.Optional(Type.Number()), unread: Type.Optional(Type.Number()) }),
    googleClassroom: Type.Optional(
      named('GoogleClassroomSubmission', Type.Object({ ...external.properties, alternateLink: Type.String() })),
    ),
    microsoftGraph: Type.Optional(named('MicrosoftGraphSubmission', external)),
    lti: Type.Optional(
      Type.Object({
        gradeService: OneOf(['ags2p0', 'outcomes1p1']),
        sourcedid: Type.Optional(Type.String()),
      }),
    ),
  }),
)
