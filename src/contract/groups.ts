import Type, { type Static } from 'typebox'
import { DateTime, List, named, OneOf, Text, Title } from './schema.ts'
import { GroupType } from './sharing.ts'

export const GroupDetails = named(
  'GroupDetails',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: GroupType,
    organization: Type.Optional(Type.String()),
    classroom: Type.Optional(Type.String()),
    assignment: Type.Optional(Type.String()),
    parent: Type.Optional(Type.String()),
    creationDate: DateTime,
    usersCount: Type.Number(),
    readOnly: Type.Boolean({
      description: 'Whether the members are managed by the server and cannot be changed.',
    }),
    tags: Type.Array(Type.String()),
  }),
)
export type GroupDetails = Static<typeof GroupDetails>

export const GroupCreation = named(
  'GroupCreation',
  Type.Object({
    type: OneOf(['classStudentsSubGroup']),
    classroom: Text(),
    name: Type.Optional(Title()),
    members: Type.Optional(List(Text())),
  }),
)
export type GroupCreation = Static<typeof GroupCreation>

export const GroupUpdate = Type.Object({ name: Title() })

export const GroupUser = Type.Object({ user: Text() })

export const AddedGroupUser = Type.Object({ user: Type.Optional(Type.String()) })
