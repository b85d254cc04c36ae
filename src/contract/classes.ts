import Type, { type Static } from 'typebox'
import { GroupDetails } from './groups.ts'
import { DateTime, extension, List, Nullable, named, OneOf, Text } from './schema.ts'

export const ClassState = named('ClassState', OneOf(['active', 'inactive', 'archived', 'deleted']))
export type ClassState = Static<typeof ClassState>

const ClassGradeLevel = named(
  'ClassGradeLevel',
  OneOf(['elementary', 'middle', 'high', 'university', 'other']),
)

const EduSkillsFocused = named(
  'EduSkillsFocused',
  List(
    OneOf([
      'notation',
      'sight-reading',
      'performance-instrumental',
      'ear-training',
      'music-theory',
      'composition',
      'jazz-ensemble',
      'music-technology',
      'other',
    ]),
  ),
)

const id = Type.Optional(Type.String())

export const ClassDetails = named(
  'ClassDetails',
  Type.Object({
    id: Type.String(),
    state: ClassState,
    name: Type.String(),
    section: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String()),
    owner: Type.Optional(Type.String()),
    creationDate: DateTime,
    modificationDate: Type.Optional(DateTime),
    enrollmentCode: Type.Optional(
      Type.String({
        description:
          'Every member of the organization who has this code can join the class. Returned to ' +
          'teachers of the class only.',
      }),
    ),
    theme: Type.Optional(Type.String({ description: 'The theme that `createClass` or `updateClass` set.' })),
    assignmentsCount: Type.Optional(
      Type.Number({ description: 'The number of assignments of the class that the caller can see.' }),
    ),
    studentsGroup: Type.Optional(GroupDetails),
    teachersGroup: Type.Optional(GroupDetails),
    issues: Type.Optional(
      Type.Object({
        sync: Type.Optional(
          Type.Array(
            Type.Object({
              id,
              email: Type.Optional(Type.String()),
              reason: Type.Optional(OneOf(['otherOrgnanization', 'productMigration', 'disabledAccount'])),
            }),
          ),
        ),
      }),
    ),
    googleClassroom: Type.Optional(Type.Object({ id, alternateLink: Type.Optional(Type.String()) })),
    googleDrive: Type.Optional(
      Type.Object({
        teacherFolderId: Type.Optional(Type.String()),
        teacherFolderAlternateLink: Type.Optional(Type.String()),
      }),
    ),
    microsoftGraph: Type.Optional(Type.Object({ id })),
    lti: Type.Optional(
      Type.Object({
        contextId: Type.Optional(Type.String()),
        contextTitle: Type.Optional(Type.String()),
        contextLabel: Type.Optional(Type.String()),
        hasNrpsService: Type.Optional(Type.Boolean()),
      }),
    ),
    canvas: Type.Optional(Type.Object({ id, domain: Type.Optional(Type.String()) })),
    mfc: Type.Optional(Type.Object({ id, alternateLink: Type.Optional(Type.String()) })),
    clever: Type.Optional(
      Type.Object({
        id,
        creationDate: Type.Optional(DateTime),
        modificationDate: Type.Optional(DateTime),
        subject: Type.Optional(
          OneOf([
            'english/language arts',
            'math',
            'science',
            'social studies',
            'language',
            'homeroom/advisory',
            'interventions/online learning',
            'technology and engineering',
            'PE and health',
            'arts and music',
            'other',
          ]),
        ),
        termName: Type.Optional(Type.String()),
        termStartDate: Type.Optional(DateTime),
        termEndDate: Type.Optional(DateTime),
      }),
    ),
    level: Type.Optional(ClassGradeLevel),
    skillsFocused: Type.Optional(EduSkillsFocused),
    size: Type.Optional(Nullable(Type.Number())),
  }),
)
export type ClassDetails = Static<typeof ClassDetails>

const Name = Type.String({ maxLength: 255 })
const properties = {
  section: Type.Optional(Name),
  description: Type.Optional(Text({ ...extension, description: 'What the class is about.' })),
  theme: Type.Optional(
    Nullable(
      Type.String({
        ...extension,
        minLength: 1,
        maxLength: 100,
        description: 'The name of a theme for the pages of the class. Clients define the themes.',
      }),
    ),
  ),
  level: Type.Optional(ClassGradeLevel),
  skillsFocused: Type.Optional(EduSkillsFocused),
  size: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
}

export const ClassCreation = named('ClassCreation', Type.Object({ name: Name, ...properties }))
export type ClassCreation = Static<typeof ClassCreation>

export const ClassUpdate = named('ClassUpdate', Type.Object({ name: Type.Optional(Name), ...properties }))
export type ClassUpdate = Static<typeof ClassUpdate>
