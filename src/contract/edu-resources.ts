import Type, { type Static } from 'typebox'
import { Assignment, AssignmentType } from './assignments.ts'
import { pagingQuery } from './paging.ts'
import { DateTime, List, named, OneOf, Text } from './schema.ts'

/** What is taught. New ones are added at the end: the database keeps their numbers (features/edu-resources/sets.ts). */
export const teachingThemes = [
  'composition',
  'music-theory',
  'general-music',
  'band',
  'choir',
  'orchestra',
  'jazz-ensemble',
  'music-technology',
  'other',
] as const
export type TeachingTheme = (typeof teachingThemes)[number]
const TeachingTheme = named('TeachingTheme', OneOf(teachingThemes))

/** The years of school, in the same way. */
export const gradeNames = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', 'university'] as const
export type Grade = (typeof gradeNames)[number]
const Grade = named('Grade', OneOf(gradeNames))

const EduResourceSubjects = named('EduResourceSubjects', List(TeachingTheme))
const EduResourceGrades = named('EduResourceGrades', List(Grade))

export const EduResourceType = named('EduResourceType', OneOf(['assignment', 'folder']))
export type EduResourceType = Static<typeof EduResourceType>

export const EduResourcePrivacy = named(
  'EduResourcePrivacy',
  OneOf(['private', 'organizationPublic', 'public'], {
    default: 'private',
    description:
      'Who else may open it, who has its id: nobody, those who work at the organization, or those who work at any. Students open ' +
      'none. No list shows what is in the own libraries of others; what all are to find is put into that of the organization.',
  }),
)
export type EduResourcePrivacy = Static<typeof EduResourcePrivacy>

export const EduLibrary = named(
  'EduLibrary',
  Type.Object({
    id: Type.String({ description: 'What lists take as `parent`, and what is moved or copied as `destination`.' }),
    name: Type.String(),
    type: OneOf(['myResources', 'organizationResources', 'flatEduContent']),
    visibility: OneOf(['private', 'organization', 'public']),
  }),
)
export type EduLibrary = Static<typeof EduLibrary>

const EduResourceFolder = named(
  'EduResourceFolder',
  Type.Object({
    title: Type.Optional(Type.String()),
    assignmentsTypes: Type.Optional(
      Type.Array(AssignmentType, { description: 'Of the assignments that lie directly in it.' }),
    ),
    resourcesCount: Type.Optional(Type.Number({ description: 'How many resources lie directly in it.' })),
  }),
)
export type EduResourceFolder = Static<typeof EduResourceFolder>

const flag = Type.Optional(Type.Boolean())

export const EduResource = named(
  'EduResource',
  Type.Object({
    id: Type.String(),
    creator: Type.Optional(Type.String()),
    type: EduResourceType,
    privacy: Type.Optional(EduResourcePrivacy),
    tags: Type.Optional(Type.Array(Type.String())),
    parent: Type.Optional(Type.String({ description: 'The folder, or the library where it lies in none.' })),
    title: Type.String(),
    sharingDescription: Type.Optional(Type.String()),
    sharingDescriptionHtml: Type.Optional(Type.String()),
    creationDate: Type.Optional(DateTime),
    updateDate: Type.Optional(DateTime),
    resource: Type.Optional(Type.Union([Assignment, EduResourceFolder])),
    capabilities: Type.Object(
      { canEdit: flag, canAddResources: flag, canAddFolders: flag, canChangePrivacy: flag },
      { description: 'What the caller can do with it.' },
    ),
    subjects: Type.Optional(EduResourceSubjects),
    grades: Type.Optional(EduResourceGrades),
  }),
)
export type EduResource = Static<typeof EduResource>

const ResourceTitle = Type.String({ minLength: 1, maxLength: 1000 })
const descriptions = {
  sharingDescription: Type.Optional(Type.String({ maxLength: 400, description: 'For those with whom it is shared.' })),
  sharingDescriptionHtml: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'The same as HTML, of which what could do harm is taken out; the plain text is made from it.',
    }),
  ),
}

const parentDescription = 'A folder, or a library: `root`, `organization` or `flatEduContent`.'

const EduResourceAssignmentCreation = named(
  'EduResourceAssignmentCreation',
  Type.Object({ type: Type.Optional(AssignmentType) }),
)

export const EduResourceCreation = named(
  'EduResourceCreation',
  Type.Object({
    type: EduResourceType,
    title: ResourceTitle,
    parent: Type.Optional(Text({ default: 'root', description: parentDescription })),
    ...descriptions,
    resource: Type.Optional(EduResourceAssignmentCreation),
  }),
)

export const EduResourceUpdate = named(
  'EduResourceUpdate',
  Type.Object({
    title: Type.Optional(ResourceTitle),
    ...descriptions,
    privacy: Type.Optional(EduResourcePrivacy),
    subjects: Type.Optional(EduResourceSubjects),
    grades: Type.Optional(EduResourceGrades),
  }),
)
export type EduResourceUpdate = Static<typeof EduResourceUpdate>

const destination = { destination: Text({ description: parentDescription }) }
export const EduResourceMove = named('EduResourceMove', Type.Object(destination))
export const EduResourceCopy = named('EduResourceCopy', Type.Object(destination))

export const EduResourceUseInClass = named(
  'EduResourceUseInClass',
  Type.Object({
    classroom: Text(),
    assignment: Type.Optional(Text({ description: 'A draft of the class to fill, instead of making a new one.' })),
  }),
)

export type ResourceSort = 'creationDate' | 'updateDate' | 'title'

const { direction, limit, next, previous } = pagingQuery
export const EduResourceQuery = Type.Object({
  parent: Type.Optional(Type.String({ default: 'root', description: parentDescription })),
  withoutSubfoldersResources: Type.Optional(
    Type.Boolean({ description: 'Of `organization`, only what lies in none of its folders; without it, everything.' }),
  ),
  type: Type.Optional(EduResourceType),
  subjects: Type.Optional(Type.Array(TeachingTheme, { description: 'Those that have any of these.' })),
  assignmentTypes: Type.Optional(
    Type.Array(AssignmentType, { description: 'Assignments of any of these types; folders have none.' }),
  ),
  grades: Type.Optional(Type.Array(Grade, { description: 'Those that have any of these.' })),
  sort: Type.Optional(OneOf(['creationDate', 'updateDate', 'title'], { default: 'creationDate' })),
  direction,
  limit,
  next,
  previous,
})

/** How many there are in the whole list, whatever page of it is shown. */
export const totalHeaders = {
  'X-Total-Assignments-Count': Type.Integer(),
  'X-Total-Folders-Count': Type.Integer(),
}
