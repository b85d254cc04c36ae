import Type, { type Static, type TSchema } from 'typebox'
import { ClassAttachmentCreation, MediaAttachment } from './attachments.ts'
import { DateTime, extension, List, Nullable, named, OneOf, Text, Title } from './schema.ts'
import { Exercise } from './exercises.ts'
import { AssignmentSubmission } from './submissions.ts'

export const AssignmentType = named(
  'AssignmentType',
  OneOf(['none', 'newScore', 'scoreTemplate', 'sharedWriting', 'worksheet', 'worksheetText', 'performance']),
)
export type AssignmentType = Static<typeof AssignmentType>

const AssignmentSubmissionStudentsMode = named(
  'AssignmentSubmissionStudentsMode',
  OneOf(['single', 'group'], {
    description:
      'Whether each student submits individually, or each group submits together. Shared writing is ' +
      'always in groups.',
  }),
)

const AssignmentState = OneOf(['draft', 'active', 'archived'])
export type AssignmentState = Static<typeof AssignmentState>

const AssigneeMode = OneOf(['everyone', 'selected'], {
  description:
    'Whether the assignment is for the whole class, or only for `assignedStudents` and ' +
    '`assignedGroups`.',
})

const release = OneOf(['auto', 'manual'], {
  description: 'For a worksheet: whether the grade is released when the student submits, or by the teacher.',
})

/** Options that have no column of their own. */
const options = {
  shuffleExercises: Type.Boolean({
    description:
      'Whether each student, or group, gets the exercises of a worksheet in an order of their own. The ' +
      'submission has it in `exercisesIds`, and students receive `exercises` in it.',
  }),
  nbPlaybackAuthorized: Type.Number({ description: 'How many times a student may play the scores.' }),
  restrictPlayNote: Type.Boolean(),
  restrictToAudioTracks: Type.Boolean(),
  recordingType: OneOf(['audio', 'video']),
  allowMetronome: Type.Boolean(),
  allowBackingTrack: Type.Boolean(),
  allowSpeedChange: Type.Boolean(),
  freeRecord: Type.Boolean({
    description: 'For a performance: the student plays something of their own choice, without a score.',
  }),
  groupSize: Type.Integer({
    ...extension,
    minimum: 2,
    maximum: 100,
    description:
      'The maximum number of students in the groups that are made at random for group work in a class ' +
      'without groups; 4 if absent.',
  }),
} as const

const Rubric = named(
  'AssignmentRubric',
  Type.Object(
    {
      criteria: Type.Array(
        Type.Object({
          id: Type.String({ maxLength: 100, description: 'Name of the criterion, unique in the rubric.' }),
          title: Type.String({ minLength: 1, maxLength: 1000 }),
          description: Type.Optional(Type.String({ maxLength: 10_000 })),
          points: Type.Number({
            minimum: 0,
            maximum: 10_000,
            description: 'Maximum number of points of the criterion.',
          }),
          levels: Type.Optional(
            Type.Array(
              Type.Object({
                title: Type.String({ minLength: 1, maxLength: 1000 }),
                points: Type.Number({
                  minimum: 0,
                  maximum: 10_000,
                  description: 'At most the maximum of the criterion, and different from the other levels.',
                }),
              }),
              {
                minItems: 1,
                maxItems: 20,
                description: 'The levels that a student can reach. The points of a grade name the level.',
              },
            ),
          ),
        }),
        { minItems: 1, maxItems: 100 },
      ),
    },
    { description: 'The criteria by which the work is graded.', ...extension },
  ),
)
export type Rubric = Static<typeof Rubric>

const Weight = Type.Number({
  ...extension,
  minimum: 0,
  maximum: 100,
  description:
    'How much the points count in the averages of the gradebook: 2 counts twice, 0 not at all. 1 if absent.',
})

const LatePolicySchema = named(
  'AssignmentLatePolicy',
  Type.Object(
    {
      acceptDays: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 365,
          description:
            'The days after the due date in which work is still accepted; without an end if absent. After that, work can ' +
            'neither be submitted nor taken back, except for work that was graded or returned.',
        }),
      ),
      percentPerDay: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description:
            'The percentage of the points that each day takes off. Clients show it. Grades are stored as teachers give them.',
        }),
      ),
      minimumPercent: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'The percentage that always remains; 0 if absent.',
        }),
      ),
    },
    { ...extension, additionalProperties: false, description: 'What happens to late work.' },
  ),
)

const Exercises = Type.Array(Exercise, {
  ...extension,
  maxItems: 200,
  description: 'For a worksheet: its exercises.',
})

export const Capabilities = Type.Object(
  {
    canEdit: Type.Boolean(),
    canPublishInClass: Type.Boolean(),
    canPublishInClassError: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Why the assignment can be neither edited nor published.' },
      ),
    ),
    canArchive: Type.Boolean(),
    canUnarchive: Type.Boolean(),
  },
  { description: 'What the caller may do with the assignment in its present state.' },
)
export type Capabilities = Static<typeof Capabilities>

const allOptional = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties

const assignment = {
  id: Type.String(),
  type: AssignmentType,
  capabilities: Capabilities,
  title: Type.String(),
  description: Type.Optional(Type.String()),
  descriptionHtml: Type.Optional(Type.String()),
  teacherInstructions: Type.Optional(Type.String({ description: 'Returned to teachers only.' })),
  teacherInstructionsHtml: Type.Optional(Type.String({ description: 'Returned to teachers only.' })),
  cover: Type.Optional(Type.String()),
  coverFile: Type.Optional(Type.String()),
  attachments: Type.Array(MediaAttachment),
  useDedicatedAttachments: Type.Optional(
    Type.Boolean({ description: 'Whether each student works in their own copies of the scores.' }),
  ),
  maxPoints: Type.Optional(Type.Number()),
  weight: Type.Optional(Weight),
  latePolicy: Type.Optional(LatePolicySchema),
  releaseGrades: Type.Optional(release),
  toolset: Type.Optional(Type.String()),
  submissionStudentsMode: Type.Optional(AssignmentSubmissionStudentsMode),
  ...allOptional(options),
  rubric: Type.Optional(Rubric),
  exercises: Type.Optional(Exercises),
}

export const Assignment = named('Assignment', Type.Object(assignment))
export type Assignment = Static<typeof Assignment>

const AssignmentGroup = named(
  'AssignmentGroup',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    parent: Type.Optional(
      Type.String({
        description:
          'The group of the class that the group was made from. Absent for a group that was made at random, ' +
          'after that group was deleted, and before group work is published.',
      }),
    ),
    members: Type.Array(Type.String()),
  }),
)

const id = Type.Optional(Type.String())
const linked = Type.Optional(Type.Object({ id, alternateLink: Type.Optional(Type.String()) }))

export const ClassAssignment = named(
  'ClassAssignment',
  Type.Object({
    ...assignment,
    creator: id,
    state: AssignmentState,
    classroom: id,
    creationDate: DateTime,
    scheduledDate: Type.Optional(DateTime),
    dueDate: Type.Optional(DateTime),
    assigneeMode: Type.Optional(AssigneeMode),
    assignedStudents: Type.Optional(
      Type.Array(Type.String(), { description: 'Students receive only their own id, if it is in the list.' }),
    ),
    assignedGroups: Type.Optional(
      Type.Array(AssignmentGroup, { description: 'Students receive only the groups that they belong to.' }),
    ),
    excusedStudents: Type.Optional(
      Type.Array(Type.String(), {
        ...extension,
        description:
          'The students who need not do the assignment. Students receive only their own id, if it is in the list.',
      }),
    ),
    submissions: Type.Array(AssignmentSubmission, {
      description: 'Teachers receive all submissions. Students receive their own.',
    }),
    googleClassroom: Type.Optional(
      named(
        'GoogleClassroomCoursework',
        Type.Object({
          id,
          state: Type.Optional(Type.String()),
          alternateLink: Type.Optional(Type.String()),
          topicId: Type.Optional(Nullable(Type.String())),
        }),
      ),
    ),
    microsoftGraph: Type.Optional(
      named(
        'MicrosoftGraphAssignment',
        Type.Object({
          id,
          state: Type.Optional(OneOf(['draft', 'scheduled', 'published', 'assigned', 'inactive'])),
          alternateLink: Type.Optional(Type.String()),
          assignDateTime: Type.Optional(DateTime),
          categories: Type.Optional(Type.Array(Type.String())),
          assignToType: Type.Optional(OneOf(['class', 'individual'])),
          assignedStudentsMsIds: Type.Optional(Type.Array(Type.String())),
        }),
      ),
    ),
    mfc: linked,
    canvas: linked,
    lti: Type.Optional(Type.Object({ id })),
    issue: Type.Optional(Type.String()),
  }),
)
export type ClassAssignment = Static<typeof ClassAssignment>

/** RFC 3339 does not limit the number of digits of the seconds, so the length is limited here. */
const GivenDate = { ...DateTime, maxLength: 100 }

const Html = Type.String({
  maxLength: 100_000,
  description:
    'Sanitized: everything except text, links and lists is removed. The plain text field is derived ' +
    'from it.',
})
const PlainText = Type.String({ maxLength: 100_000 })

const content = {
  type: Type.Optional(AssignmentType),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  description: Type.Optional(PlainText),
  descriptionHtml: Type.Optional(Html),
  teacherInstructions: Type.Optional(PlainText),
  teacherInstructionsHtml: Type.Optional(Html),
  attachments: Type.Optional(
    List(ClassAttachmentCreation, {
      description:
        'The complete list of attachments. It replaces the present list. Duplicates are stored ' + 'once.',
    }),
  ),
  toolset: Type.Optional(Nullable(Text())),
  coverFile: Type.Optional(Nullable(Text())),
  cover: Type.Optional(Nullable(Text())),
  maxPoints: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0,
        maximum: 10_000,
        description: 'A number turns grading on. `null` turns grading off.',
      }),
    ),
  ),
  weight: Type.Optional(Weight),
  latePolicy: Type.Optional(Nullable(LatePolicySchema)),
  releaseGrades: Type.Optional(release),
  submissionStudentsMode: Type.Optional(AssignmentSubmissionStudentsMode),
  ...allOptional({ ...options, nbPlaybackAuthorized: Nullable(Type.Integer({ minimum: 0 })) }),
  rubric: Type.Optional(Nullable(Rubric)),
  exercises: Type.Optional(Nullable(Exercises)),
}

export const AssignmentUpdate = named('AssignmentUpdate', Type.Object(content))
export type AssignmentUpdate = Static<typeof AssignmentUpdate>

export const ClassAssignmentUpdate = named(
  'ClassAssignmentUpdate',
  Type.Object({
    ...content,
    state: Type.Optional(
      OneOf(['draft', 'active'], { description: 'An active assignment cannot become a draft again.' }),
    ),
    dueDate: Type.Optional(Nullable(GivenDate)),
    scheduledDate: Type.Optional(
      Nullable({
        ...GivenDate,
        description: 'When the draft becomes active. Students do not see the assignment before that time.',
      }),
    ),
    googleClassroom: Type.Optional(
      Type.Object(
        { topicId: Type.Optional(Nullable(Text())) },
        { description: 'For a class that is connected to Google Classroom.' },
      ),
    ),
    microsoftGraph: Type.Optional(
      Type.Object(
        { categories: Type.Optional(Nullable(List(Title()))) },
        { description: 'For a class that is connected to Microsoft Teams.' },
      ),
    ),
    assigneeMode: Type.Optional(AssigneeMode),
    assignedStudents: Type.Optional(List(Text(), { description: 'Ids of students of the class.' })),
    excusedStudents: Type.Optional(
      List(Text(), {
        ...extension,
        description:
          'Ids of the students of the class who need not do the assignment. It replaces the present list. Their work is ' +
          'not missing, and does not count in averages.',
      }),
    ),
    classGroupIds: Type.Optional(
      named(
        'ClassGroupIdsToApplyToAssignment',
        Nullable(
          List(Text(), {
            description:
              'The groups of the class that the assignment is for. `null` removes the restriction to ' +
              'groups. When group work is published, the assignment gets a group of its own for each of ' +
              'them. If none is named, it gets one for each group of the class, or groups made at random ' +
              'if the class has none (see `groupSize`).',
          }),
        ),
      ),
    ),
  }),
)
export type ClassAssignmentUpdate = Static<typeof ClassAssignmentUpdate>

const AssignmentCopyToClass = named(
  'AssignmentCopyToClass',
  Type.Object({
    classroom: Text({ description: 'The id of the class that receives the copy.' }),
    assignment: Type.Optional(
      Text({ description: 'The id of a draft of that class. The copy replaces the contents of the draft.' }),
    ),
    scheduledDate: Type.Optional({ ...GivenDate, description: 'When the copy becomes active.' }),
  }),
)

const AssignmentCopyToResourceLibrary = named(
  'AssignmentCopyToResourceLibrary',
  Type.Object({
    libraryParent: Text({ description: 'A library, or the id of a folder.' }),
    verifyIfNotAlreadyInResourceLibrary: Type.Optional(Type.Boolean()),
  }),
)

export const AssignmentCopy = named(
  'AssignmentCopy',
  Type.Unsafe<Static<typeof AssignmentCopyToClass> | Static<typeof AssignmentCopyToResourceLibrary>>({
    anyOf: [AssignmentCopyToClass, AssignmentCopyToResourceLibrary],
  }),
)

export const AssignmentCopyResponse = named(
  'AssignmentCopyResponse',
  Type.Object({ ...assignment, resource: Type.Optional(Type.String()) }),
)
