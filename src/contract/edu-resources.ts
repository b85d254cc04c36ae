import Type, { type Static } from 'typebox'
import { Assignment, AssignmentType, Capabilities } from './assignments.ts'
import { MediaAttachment } from './attachments.ts'
import { pagingQuery } from './paging.ts'
import { DateTime, List, named, OneOf, Text } from './schema.ts'

/** The subjects. Add new values at the end, because the database stores their index. */
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

/** The school grades. Add new values at the end, because the database stores their index. */
export const gradeNames = [
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  '10',
  '11',
  '12',
  'university',
] as const
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
      'Who else can open the resource by its id: no one, the staff of the organization, or the ' +
      'staff of any organization. Students can never open it. No list shows resources from the ' +
      'personal library of another user. To make a resource visible to all staff, move it to the ' +
      'library of the organization.',
  }),
)
export type EduResourcePrivacy = Static<typeof EduResourcePrivacy>

export const EduLibrary = named(
  'EduLibrary',
  Type.Object({
    id: Type.String({
      description:
        'The value to send as `parent` to list the library, or as `destination` to move or copy ' +
        'something into it.',
    }),
    name: Type.String(),
    type: OneOf(['myResources', 'organizationResources', 'flatEduContent']),
    visibility: OneOf(['private', 'organization', 'public']),
  }),
)
export type EduLibrary = Static<typeof EduLibrary>

const forClients = 'Sent because some generated clients require the fields of an assignment.'

const EduResourceFolder = named(
  'EduResourceFolder',
  Type.Object({
    title: Type.String(),
    assignmentsTypes: Type.Array(AssignmentType, {
      description: 'The types of the assignments directly in this folder.',
    }),
    resourcesCount: Type.Number({ description: 'Number of resources directly in this folder.' }),
    id: Type.String({ description: `The id of the folder. ${forClients}` }),
    type: OneOf(['none'], { description: forClients }),
    attachments: Type.Array(MediaAttachment, { description: `Always empty. ${forClients}` }),
    capabilities: Capabilities,
  }),
)
export type EduResourceFolder = Static<typeof EduResourceFolder>

const gathered = 'A folder also has those of the resources inside it that the caller can see.'

const flag = Type.Optional(Type.Boolean())

export const EduResource = named(
  'EduResource',
  Type.Object({
    id: Type.String(),
    creator: Type.Optional(Type.String()),
    type: EduResourceType,
    privacy: Type.Optional(EduResourcePrivacy),
    tags: Type.Optional(Type.Array(Type.String())),
    parent: Type.Optional(
      Type.String({
        description: 'The id of the parent folder, or of the library if the resource is not in a folder.',
      }),
    ),
    title: Type.String(),
    sharingDescription: Type.Optional(Type.String()),
    sharingDescriptionHtml: Type.Optional(Type.String()),
    creationDate: Type.Optional(DateTime),
    updateDate: Type.Optional(DateTime),
    resource: Type.Optional(Type.Union([EduResourceFolder, Assignment])),
    capabilities: Type.Object(
      { canEdit: flag, canAddResources: flag, canAddFolders: flag, canChangePrivacy: flag },
      { description: 'What the caller can do with the resource.' },
    ),
    subjects: Type.Optional(
      Type.Array(TeachingTheme, { description: `The subjects of the resource. ${gathered}` }),
    ),
    grades: Type.Optional(Type.Array(Grade, { description: `The grades of the resource. ${gathered}` })),
  }),
)
export type EduResource = Static<typeof EduResource>

const ResourceTitle = Type.String({ minLength: 1, maxLength: 1000 })
const descriptions = {
  sharingDescription: Type.Optional(
    Type.String({ maxLength: 400, description: 'Text for the users with whom the resource is shared.' }),
  ),
  sharingDescriptionHtml: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'The same text as sanitized HTML. The plain text is derived from it.',
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
    assignment: Type.Optional(
      Text({ description: 'A draft of the class that receives the contents, instead of a new assignment.' }),
    ),
  }),
)

export type ResourceSort = 'creationDate' | 'updateDate' | 'title'

const { direction, limit, next, previous } = pagingQuery
export const EduResourceQuery = Type.Object({
  parent: Type.Optional(Type.String({ default: 'root', description: parentDescription })),
  withoutSubfoldersResources: Type.Optional(
    Type.Boolean({
      description:
        'For `organization`: `true` lists only the resources that are not in a folder. Without it, ' +
        'the list contains all resources of the library.',
    }),
  ),
  type: Type.Optional(EduResourceType),
  subjects: Type.Optional(
    Type.Array(TeachingTheme, { description: 'Resources that have at least one of these values.' }),
  ),
  assignmentTypes: Type.Optional(
    Type.Array(AssignmentType, {
      description: 'Assignments of at least one of these types. Folders have no type.',
    }),
  ),
  grades: Type.Optional(
    Type.Array(Grade, { description: 'Resources that have at least one of these values.' }),
  ),
  sort: Type.Optional(OneOf(['creationDate', 'updateDate', 'title'], { default: 'creationDate' })),
  direction,
  limit,
  next,
  previous,
})

/** The total number of entries in the list, regardless of the page. */
export const totalHeaders = {
  'X-Total-Assignments-Count': Type.Integer(),
  'X-Total-Folders-Count': Type.Integer(),
}
