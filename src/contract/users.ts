import Type, { type Static } from 'typebox'
import { DateTime, extension, Nullable, named, OneOf } from './schema.ts'

const TutteoProduct = named(
  'TutteoProduct',
  OneOf(['flat', 'flatEdu', 'msnippet', 'embed'], {
    default: 'flat',
    description: '`flatEdu` for members of an organization, `flat` for individual accounts.',
  }),
)

export const OrganizationRoles = named(
  'OrganizationRoles',
  OneOf(['admin', 'accountAdmin', 'teacher', 'user'], { description: 'A student is a `user`.' }),
)
export type OrganizationRole = Static<typeof OrganizationRoles>

const ClassRoles = named('ClassRoles', OneOf(['teacher', 'student']))
export type ClassRole = Static<typeof ClassRoles>

const UserBasics = named(
  'UserBasics',
  Type.Object({
    id: Type.String(),
    type: OneOf(['user', 'guest']),
    product: TutteoProduct,
    username: Type.String(),
    printableName: Type.Optional(Type.String({ description: 'The name for display.' })),
    firstname: Type.Optional(Type.String()),
    lastname: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    picture: Nullable(Type.String({ description: 'Address of the profile picture.' })),
    badges: Type.Optional(Type.Array(Type.String())),
  }),
)

export const UserPublicSummary = named(
  'UserPublicSummary',
  Type.Object({
    ...UserBasics.properties,
    organization: Type.Optional(Type.String()),
    organizationRole: Type.Optional(OrganizationRoles),
    classRole: Type.Optional(ClassRoles),
    htmlUrl: Type.Optional(Type.String()),
  }),
)
export type UserPublicSummary = Static<typeof UserPublicSummary>

const UserCommunityProfileLinks = named(
  'UserCommunityProfileLinks',
  Type.Object({
    spotifyUrl: Type.Optional(Nullable(Type.String())),
    youtubeUrl: Type.Optional(Nullable(Type.String())),
    soundcloudUrl: Type.Optional(Nullable(Type.String())),
    tiktokUrl: Type.Optional(Nullable(Type.String())),
    instagramUrl: Type.Optional(Nullable(Type.String())),
    websiteUrl: Type.Optional(Nullable(Type.String())),
  }),
)

export const UserPublic = named(
  'UserPublic',
  Type.Object({
    ...UserPublicSummary.properties,
    bio: Type.Optional(Type.String()),
    registrationDate: Type.Optional(DateTime),
    likedScoresCount: Type.Optional(Type.Integer()),
    followersCount: Type.Optional(Type.Integer()),
    followingCount: Type.Optional(Type.Integer()),
    ownedPublicScoresCount: Type.Optional(Type.Integer()),
    allPublicScoresCount: Type.Optional(Type.Integer()),
    likesCount: Type.Optional(Type.Integer()),
    playsCount: Type.Optional(Type.Integer()),
    coverPicture: Type.Optional(Nullable(Type.String())),
    profileTheme: Type.Optional(Type.String()),
    links: Type.Optional(UserCommunityProfileLinks),
  }),
)
export type UserPublic = Static<typeof UserPublic>

const UserAzureDetails = named(
  'UserAzureDetails',
  Type.Object({
    oid: Type.Optional(Type.String()),
    hd: Type.Optional(Type.String()),
    preferredUsername: Type.Optional(Type.String()),
  }),
)

const FlatLocalesString = named('FlatLocalesString', Type.String({ default: 'en' }))

export const UserDetails = named(
  'UserDetails',
  Type.Object({
    ...UserPublic.properties,
    email: Type.Optional(
      Type.String({ ...extension, description: 'Sent to apps with the scope `account.email`.' }),
    ),
    isEmailVerified: Type.Optional(Type.Boolean()),
    azureDetails: Type.Optional(UserAzureDetails),
    privateProfile: Type.Optional(Type.Boolean()),
    locale: Type.Optional(FlatLocalesString),
    groups: Type.Optional(Type.Array(Type.String())),
    pictureFile: Type.Optional(Nullable(Type.String())),
    coverPictureFile: Type.Optional(Nullable(Type.String())),
  }),
)
export type UserDetails = Static<typeof UserDetails>
