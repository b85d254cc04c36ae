import Type, { type Static } from 'typebox'
import { DateTime, extension, named, OneOf, Text } from './schema.ts'
import { UserPublic } from './users.ts'

export const ResourceRights = named(
  'ResourceRights',
  Type.Object(
    {
      aclRead: Type.Boolean({ default: false }),
      aclWrite: Type.Boolean({ default: false }),
      aclAdmin: Type.Boolean({ default: false }),
      isCollaborator: Type.Optional(Type.Boolean({ default: false })),
      collaboratorType: Type.Optional(OneOf(['owner', 'user', 'group'])),
    },
    { description: 'What the caller may do with the object.' },
  ),
)
export type ResourceRights = Static<typeof ResourceRights>

export const GroupType = named(
  'GroupType',
  OneOf(['generic', 'classTeachers', 'classStudents', 'classStudentsSubGroup', 'assignmentStudentsSubGroup']),
)

export type GroupType = Static<typeof GroupType>

const Group = named(
  'Group',
  Type.Object({
    id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    type: Type.Optional(GroupType),
    usersCount: Type.Optional(Type.Number()),
    readOnly: Type.Optional(Type.Boolean()),
    organization: Type.Optional(Type.String()),
    creationDate: Type.Optional(DateTime),
  }),
)

export const ResourceCollaborator = named(
  'ResourceCollaborator',
  Type.Object({
    ...ResourceRights.properties,
    id: Type.Optional(Type.String()),
    date: Type.Optional(DateTime),
    score: Type.Optional(Type.String()),
    collection: Type.Optional(Type.String()),
    user: Type.Optional(UserPublic),
    group: Type.Optional(Group),
    userEmail: Type.Optional(Type.String()),
    invited: Type.Optional(Type.Boolean()),
    userToken: Type.Optional(
      Type.String({
        ...extension,
        description:
          'The token of the invitation, only in the response to the request that invited or renewed it.',
      }),
    ),
  }),
)
export type ResourceCollaborator = Static<typeof ResourceCollaborator>

export const ResourceCollaboratorCreation = named(
  'ResourceCollaboratorCreation',
  Type.Object(
    {
      user: Type.Optional(Text()),
      group: Type.Optional(Text()),
      userEmail: Type.Optional(Text()),
      userToken: Type.Optional(
        Text({ description: 'The token of an invitation to the caller. Send it without other fields.' }),
      ),
      aclRead: Type.Optional(Type.Boolean({ default: true })),
      aclWrite: Type.Optional(Type.Boolean({ default: false })),
      aclAdmin: Type.Optional(Type.Boolean({ default: false })),
    },
    { description: 'The collaborator and the rights to grant. Send one of `user`, `group` and `userEmail`.' },
  ),
)
export type ResourceCollaboratorCreation = Static<typeof ResourceCollaboratorCreation>
