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
  criterion: Title({ description: 'The id of a criterion of the assignment’s rubric.' }),
  points: Type.Number({ minimum: 0, maximum: 10_000, description: 'At most what the criterion is worth.' }),
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
    creator: Type.String({ description: 'The student who began it.' }),
    creationDate: Type.String(),
    attachments: Type.Array(MediaAttachment),
    submissionDate: Type.Optional(Type.String()),
    returnDate: Type.Optional(Type.String()),
    returnCreator: id,
    grade: Type.Optional(Nullable(Type.Number())),
    draftGrade: Type.Optional(Nullable(Type.Number({ description: 'For teachers only.' }))),
    maxPoints: Type.Optional(Type.Number({ description: 'What the grade is of: of the time when it was given.' })),
    exercisesIds: Type.Optional(Type.Array(Type.String())),
    playback: Type.Array(AssignmentSubmissionPlayback),
    comments: Type.Object(
      { total: Type.Optional(Type.Number()), unread: Type.Optional(Type.Number()) },
      { description: '`unread`: those of others that the caller has not been shown yet.' },
    ),
    googleClassroom: Type.Optional(
      named('GoogleClassroomSubmission', Type.Object({ ...external.properties, alternateLink: Type.String() })),
    ),
    microsoftGraph: Type.Optional(named('MicrosoftGraphSubmission', external)),
    lti: Type.Optional(
      Type.Object({ gradeService: OneOf(['ags2p0', 'outcomes1p1']), sourcedid: Type.Optional(Type.String()) }),
    ),
    late: Type.Optional(Type.Boolean({ ...extension, description: 'Whether it was turned in after it was due.' })),
    missing: Type.Optional(Type.Boolean({ ...extension, description: 'Whether it is due and not turned in.' })),
    group: Type.Optional(Type.String({ ...extension, description: 'The group whose work it is.' })),
    answers: Type.Optional(ExerciseAnswers),
    rubric: Type.Optional(Type.Array(RubricGrade, extension)),
    draftRubric: Type.Optional(Type.Array(RubricGrade, { ...extension, description: 'For teachers only.' })),
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
          description: 'All that the student has added: they take the place of those before. Dedicated scores stay.',
        }),
      ),
      playback: Type.Optional(List(AssignmentSubmissionPlayback, { description: 'Counts only ever grow.' })),
      submit: Type.Optional(Type.Boolean({ description: 'Hands it in; false takes back what was handed in.' })),
      draftGrade: Type.Optional(Points),
      grade: Type.Optional(Points),
      exercisesIds: Type.Optional(Nullable(List(Text()))),
      return: Type.Optional(Type.Boolean({ description: 'A draft becomes the grade where none is given.' })),
      answers: Type.Optional(ExerciseAnswers),
      rubric: Type.Optional(
        Type.Array(RubricGrade, {
          ...extension,
          maxItems: 100,
          description:
            'Goes with `grade`, or else with `draftGrade`; where neither is given, their sum is the grade. A grade that is given ' +
            'without has none.',
        }),
      ),
    },
    {
      description:
        '`attachments`, `playback`, `exercisesIds`, `answers` and `submit` are students’, the rest teachers’.',
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
    users: Type.Array(Type.String(), { description: 'Who did it; nobody where it followed by itself.' }),
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
        { description: 'The first score of what was turned in, as it was then.' },
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
    unread: Type.Optional(Type.Boolean({ description: 'Whether the caller is shown it for the first time.' })),
  }),
)
export type AssignmentSubmissionComment = Static<typeof AssignmentSubmissionComment>

export const AssignmentSubmissionCommentCreation = named(
  'AssignmentSubmissionCommentCreation',
  Type.Object({
    comment: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'Not blank.' }),
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
    List(Text(), { description: 'Which ones; where it is left out, all that are turned in or graded.' }),
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
      }),
      { description: 'Those that are no drafts, the newest first.' },
    ),
    students: Type.Array(
      Type.Object({
        user: Type.String(),
        username: Type.String(),
        firstname: id,
        lastname: id,
        grades: Type.Array(GradebookCell, { description: 'One for each assignment that is for this student.' }),
      }),
    ),
  }),
)
export type Gradebook = Static<typeof Gradebook>
