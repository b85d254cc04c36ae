import Type, { type Static } from 'typebox'
import { ClassAttachmentCreation, MediaAttachment } from './attachments.ts'
import { ExerciseAnswers } from './exercises.ts'
import { DateTime, extension, List, Nullable, named, OneOf, Text, Title } from './schema.ts'

const AssignmentSubmissionState = named(
  'AssignmentSubmissionState',
  OneOf(['created', 'turnedIn', 'returned', 'graded']),
)
export type AssignmentSubmissionState = Static<typeof AssignmentSubmissionState>

const AssignmentSubmissionHistoryState = named(
  'AssignmentSubmissionHistoryState',
  OneOf(['created', 'turnedIn', 'returned', 'graded', 'reset']),
)

const RubricGrade = Type.Object({
  criterion: Title({ description: 'The id of a criterion in the rubric of the assignment.' }),
  points: Type.Number({ minimum: 0, maximum: 10_000, description: 'At most the maximum of the criterion.' }),
})
export type RubricGrade = Static<typeof RubricGrade>

const AssignmentSubmissionPlayback = named(
  'AssignmentSubmissionPlayback',
  Type.Object({ score: Title(), nbPlayAttempt: Type.Number() }),
)
export type AssignmentSubmissionPlayback = Static<typeof AssignmentSubmissionPlayback>

const external = Type.Object({ id: Type.String(), state: Type.String() })
const id = Type.Optional(Type.String())

export const AssignmentSubmission = named(
  'AssignmentSubmission',
  Type.Object({
    id: Type.String(),
    state: AssignmentSubmissionState,
    classroom: Type.String(),
    assignment: Type.String(),
    creator: Type.String({ description: 'The student who created the submission.' }),
    creationDate: Type.String(),
    attachments: Type.Array(MediaAttachment),
    submissionDate: Type.Optional(Type.String()),
    returnDate: Type.Optional(Type.String()),
    returnCreator: id,
    grade: Type.Optional(Nullable(Type.Number())),
    draftGrade: Type.Optional(Nullable(Type.Number({ description: 'Returned to teachers only.' }))),
    maxPoints: Type.Optional(
      Type.Number({ description: 'The maximum that applied when the grade was given.' }),
    ),
    exercisesIds: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The exercises in the order of the student. The server fills it if the assignment shuffles its ' +
          'exercises.',
      }),
    ),
    playback: Type.Array(AssignmentSubmissionPlayback),
    comments: Type.Object(
      { total: Type.Optional(Type.Number()), unread: Type.Optional(Type.Number()) },
      { description: '`unread` counts comments of other users that the caller has not been shown yet.' },
    ),
    googleClassroom: Type.Optional(
      named(
        'GoogleClassroomSubmission',
        Type.Object({ ...external.properties, alternateLink: Type.String() }),
      ),
    ),
    microsoftGraph: Type.Optional(named('MicrosoftGraphSubmission', external)),
    lti: Type.Optional(
      Type.Object({
        gradeService: OneOf(['ags2p0', 'outcomes1p1']),
        sourcedid: Type.Optional(Type.String()),
      }),
    ),
    late: Type.Optional(
      Type.Boolean({ ...extension, description: 'Whether the work was submitted after the due date.' }),
    ),
    missing: Type.Optional(
      Type.Boolean({ ...extension, description: 'Whether the due date has passed without a submission.' }),
    ),
    group: Type.Optional(
      Type.String({ ...extension, description: 'The group that the submission belongs to.' }),
    ),
    answers: Type.Optional(ExerciseAnswers),
    rubric: Type.Optional(Type.Array(RubricGrade, extension)),
    draftRubric: Type.Optional(
      Type.Array(RubricGrade, { ...extension, description: 'Returned to teachers only.' }),
    ),
  }),
)
export type AssignmentSubmission = Static<typeof AssignmentSubmission>

const Points = Nullable(Type.Number({ minimum: 0, maximum: 10_000 }))

export const AssignmentSubmissionUpdate = named(
  'AssignmentSubmissionUpdate',
  Type.Object(
    {
      attachments: Type.Optional(
        List(ClassAttachmentCreation, {
          description:
            'The complete list of attachments that the student added. It replaces the present list. ' +
            'Scores that were created for the submission stay.',
        }),
      ),
      playback: Type.Optional(
        List(AssignmentSubmissionPlayback, { description: 'Values can only increase.' }),
      ),
      submit: Type.Optional(
        Type.Boolean({ description: '`true` submits the work. `false` takes a submitted work back.' }),
      ),
      draftGrade: Type.Optional(Points),
      grade: Type.Optional(Points),
      exercisesIds: Type.Optional(Nullable(List(Text()))),
      return: Type.Optional(
        Type.Boolean({ description: 'On return, a draft becomes the grade if no grade was given.' }),
      ),
      answers: Type.Optional(ExerciseAnswers),
      rubric: Type.Optional(
        Type.Array(RubricGrade, {
          ...extension,
          maxItems: 100,
          description:
            'Belongs to `grade`, or else to `draftGrade`. If neither is sent, the grade is the sum ' +
            'of the criteria. A grade that is sent without criteria has none.',
        }),
      ),
    },
    {
      description:
        'Students may set `attachments`, `playback`, `exercisesIds`, `answers` and `submit`. ' +
        'Teachers may set the other fields.',
    },
  ),
)
export type AssignmentSubmissionUpdate = Static<typeof AssignmentSubmissionUpdate>

export const AssignmentSubmissionHistory = named(
  'AssignmentSubmissionHistory',
  Type.Object({
    date: DateTime,
    classroom: id,
    assignment: id,
    submission: id,
    users: Type.Array(Type.String(), {
      description: 'The user who made the change. Empty if the server made it.',
    }),
    source: Type.Optional(OneOf(['lti', 'googleClassroom', 'microsoftGraph'])),
    state: Type.Optional(AssignmentSubmissionHistoryState),
    draftGrade: Type.Optional(Type.Number()),
    grade: Type.Optional(Type.Number()),
    maxPoints: Type.Optional(Type.Number()),
    comment: Type.Optional(Type.String()),
    dueDate: Type.Optional(DateTime),
    attachment: Type.Optional(
      Type.Object(
        { score: id, revision: id, title: id },
        { description: 'The first score of the submitted work, as it was when it was submitted.' },
      ),
    ),
  }),
)
export type AssignmentSubmissionHistory = Static<typeof AssignmentSubmissionHistory>

export const AssignmentSubmissionComment = named(
  'AssignmentSubmissionComment',
  Type.Object({
    id,
    user: id,
    submission: id,
    date: Type.Optional(DateTime),
    modificationDate: Type.Optional(DateTime),
    comment: id,
    unread: Type.Optional(
      Type.Boolean({ description: 'Whether this comment is shown to the caller for the first time.' }),
    ),
  }),
)
export type AssignmentSubmissionComment = Static<typeof AssignmentSubmissionComment>

export const AssignmentSubmissionCommentCreation = named(
  'AssignmentSubmissionCommentCreation',
  Type.Object({
    comment: Type.String({
      minLength: 1,
      maxLength: 10_000,
      pattern: '\\S',
      description: 'Must not be blank.',
    }),
  }),
)

export const submissionsParams = Type.Object({ class: Type.String(), assignment: Type.String() })
export type SubmissionsParams = Static<typeof submissionsParams>

export const submissionParams = Type.Object({ ...submissionsParams.properties, submission: Type.String() })
export type SubmissionParams = Static<typeof submissionParams>

export const submissionCommentParams = Type.Object({ ...submissionParams.properties, comment: Type.String() })
export type SubmissionCommentParams = Static<typeof submissionCommentParams>

export const SubmissionsReturn = Type.Object({
  submissions: Type.Optional(
    List(Text(), {
      description: 'The submissions to return. Defaults to all submitted or graded submissions.',
    }),
  ),
})

const GradebookCell = Type.Object({
  assignment: Type.String(),
  submission: id,
  state: Type.Optional(AssignmentSubmissionState),
  grade: Type.Optional(Type.Number()),
  draftGrade: Type.Optional(Type.Number()),
  maxPoints: Type.Optional(Type.Number()),
  late: Type.Boolean(),
  missing: Type.Boolean(),
  excused: Type.Optional(
    Type.Boolean({ description: 'Whether the student need not do the assignment, so that no grade counts.' }),
  ),
})

export const Gradebook = named(
  'Gradebook',
  Type.Object({
    assignments: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        state: OneOf(['active', 'archived']),
        dueDate: Type.Optional(DateTime),
        maxPoints: Type.Optional(Type.Number()),
        weight: Type.Optional(
          Type.Number({ description: 'How much the points count in averages; 1 if absent.' }),
        ),
      }),
      { description: 'The assignments of the class that are not drafts, newest first.' },
    ),
    students: Type.Array(
      Type.Object({
        user: Type.String(),
        username: Type.String(),
        firstname: id,
        lastname: id,
        grades: Type.Array(GradebookCell, {
          description: 'One entry for each assignment of this student.',
        }),
      }),
    ),
  }),
)
export type Gradebook = Static<typeof Gradebook>
