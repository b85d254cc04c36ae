import Type, { type Static } from 'typebox'
import { DateTime, extension, named, OneOf, Url } from './schema.ts'
import { ResourceCollaborator, ResourceRights } from './sharing.ts'
import { UserPublicSummary } from './users.ts'

const CollectionType = named(
  'CollectionType',
  OneOf(['root', 'regular', 'app', 'trash', 'allScores', 'collaborations', 'likes']),
)
export type CollectionType = Static<typeof CollectionType>

const CollectionPrivacy = named('CollectionPrivacy', OneOf(['private'], { default: 'private' }))

const CollectionApp = named(
  'CollectionApp',
  Type.Object({
    id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    logo: Type.Optional(Type.String()),
  }),
)

export const Collection = named(
  'Collection',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    htmlUrl: Url,
    type: CollectionType,
    labelKey: Type.Optional(Type.String({ description: 'Name of this type of collection, for display.' })),
    privacy: CollectionPrivacy,
    sharingKey: Type.Optional(Type.String()),
    app: Type.Optional(CollectionApp),
    creationDate: DateTime,
    modificationDate: Type.Optional(DateTime),
    user: Type.Optional(UserPublicSummary),
    organization: Type.Optional(Type.String()),
    rights: Type.Optional(ResourceRights),
    collaborators: Type.Optional(Type.Array(ResourceCollaborator)),
    isPinned: Type.Optional(Type.Boolean({ description: 'Whether the owner pinned the collection.' })),
    contents: Type.Object({ scoresCount: Type.Integer() }),
    capabilities: Type.Object(
      {
        canEdit: Type.Boolean(),
        canShare: Type.Boolean(),
        canDelete: Type.Boolean(),
        canAddScores: Type.Boolean(),
        canDeleteScores: Type.Boolean(),
      },
      { description: 'What the caller can do with the collection.' },
    ),
    collections: Type.Optional(
      Type.Array(Type.String(), { description: 'For the trash only: the collections in the trash.' }),
    ),
  }),
)
export type Collection = Static<typeof Collection>

const metadata = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
  privacy: Type.Optional(CollectionPrivacy),
}

export const CollectionCreation = named('CollectionCreation', Type.Object(metadata))

export const CollectionModification = named(
  'CollectionModification',
  Type.Object({
    ...metadata,
    isPinned: Type.Optional(
      Type.Boolean({ ...extension, description: 'Only the owner can pin and unpin a collection.' }),
    ),
  }),
)
