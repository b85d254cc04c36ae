import Type, { type Static } from 'typebox'
import { DateTime, extension, List, Nullable, named, OneOf, Text, secret } from './schema.ts'
import { allScopes } from './scopes.ts'
import { OrganizationRoles, UserPublicSummary } from './users.ts'

const LicenseSources = named(
  'LicenseSources',
  OneOf(['order', 'trial', 'voucher', 'distributor', 'subscription', 'appStore', 'playStore', 'musicfirst'], {
    default: 'order',
  }),
)
const LicenseMode = named('LicenseMode', OneOf(['credit', 'site']))

const Email = Type.String({ format: 'email', maxLength: 320 })
const Password = Type.String({ ...secret, format: 'password', minLength: 6, maxLength: 1000 })
const Username = Type.String({ minLength: 1, maxLength: 30 })
const GivenName = Type.String({ maxLength: 60 })

export const UserDetailsAdmin = named(
  'UserDetailsAdmin',
  Type.Object(
    {
      ...UserPublicSummary.properties,
      email: Type.Optional(Type.String({ format: 'email' })),
      lastActivityDate: Type.Optional(DateTime),
      license: Type.Optional(
        Type.Object({
          id: Type.Optional(Type.String()),
          expirationDate: Type.Optional(DateTime),
          source: Type.Optional(LicenseSources),
          mode: Type.Optional(LicenseMode),
          active: Type.Optional(Type.Boolean()),
        }),
      ),
      groups: Type.Optional(Type.Array(Type.String())),
      isEduTestingStudent: Type.Optional(Type.Boolean()),
    },
    { description: 'A member, as shown to teachers and administrators of the same organization.' },
  ),
)
export type UserDetailsAdmin = Static<typeof UserDetailsAdmin>

export const UserCreation = named(
  'UserCreation',
  Type.Object({
    username: Username,
    firstname: Type.Optional(GivenName),
    lastname: Type.Optional(GivenName),
    email: Type.Optional(Email),
    password: Password,
    locale: Type.Optional(Text({ default: 'en' })),
    role: Type.Optional(OneOf(['user', 'teacher', 'admin', 'accountAdmin'], { default: 'user' })),
  }),
)
export type UserCreation = Static<typeof UserCreation>

export const UserAdminUpdate = named(
  'UserAdminUpdate',
  Type.Object({
    password: Type.Optional(Password),
    organizationRole: Type.Optional(OrganizationRoles),
    username: Type.Optional(Username),
    firstname: Type.Optional(GivenName),
    lastname: Type.Optional(GivenName),
    email: Type.Optional(Email),
  }),
)
export type UserAdminUpdate = Static<typeof UserAdminUpdate>

export const OrganizationInvitation = named(
  'OrganizationInvitation',
  Type.Object({
    id: Type.Optional(Type.String()),
    creationDate: Type.Optional(DateTime),
    organization: Type.String(),
    organizationRole: OrganizationRoles,
    customCode: Nullable(Type.String({ description: 'The code to join the organization with.' })),
    email: Type.Optional(Type.String()),
    invitedBy: Type.Optional(Type.String()),
    htmlUrl: Type.Optional(Type.String()),
    allowMultipleUse: Type.Boolean(),
    usedBy: Type.Optional(Type.Array(Type.String())),
    expirationDate: Type.Optional(
      Type.String({
        ...extension,
        format: 'date-time',
        description: 'The code is not valid afterwards. Not returned if no invitation was created.',
      }),
    ),
    uses: Type.Optional(
      Type.Integer({
        ...extension,
        description: 'How many users have accepted the invitation, also those whose accounts were deleted.',
      }),
    ),
  }),
)
export type OrganizationInvitation = Static<typeof OrganizationInvitation>

export const OrganizationInvitationCreation = named(
  'OrganizationInvitationCreation',
  Type.Object({
    email: Type.Optional(Email),
    organizationRole: Type.Optional(OneOf(['admin', 'teacher', 'accountAdmin'], { default: 'teacher' })),
  }),
)
export type OrganizationInvitationCreation = Static<typeof OrganizationInvitationCreation>

export const UserSigninLinkCreation = named(
  'UserSigninLinkCreation',
  Type.Object({
    destinationPath: Type.Optional(
      Type.String({
        maxLength: 2000,
        default: '/',
        description: 'A path on this site. The link opens it after the member is signed in.',
      }),
    ),
  }),
)

export const UserSigninLink = named(
  'UserSigninLink',
  Type.Object({
    url: Type.Optional(Type.String()),
    token: Type.Optional(Type.String()),
    expirationDate: Type.Optional(DateTime),
  }),
)

const AppScopes = named('AppScopes', OneOf(allScopes))

export const OrganizationUserAccessTokenCreation = named(
  'OrganizationUserAccessTokenCreation',
  Type.Object({ scopes: List(AppScopes) }),
)

export const ApiAccessToken = named(
  'ApiAccessToken',
  Type.Object({
    id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    token: Type.Optional(
      Type.String({
        description:
          'The complete token in the response that creates it. Later only its first four characters.',
      }),
    ),
    issuedDate: Type.Optional(DateTime),
    expirationDate: Type.Optional(DateTime),
    scopes: Type.Optional(Type.Array(AppScopes)),
  }),
)
