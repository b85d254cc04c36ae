import { filledPath } from './filled-path.ts'

import type { OrganizationRole } from './users.ts'

/**
 * The pages of the browser app: the address of each page and the area it belongs to. A segment in braces is a
 * parameter. The server answers every address with the app, and the app loads the pages of one area together, from
 * `web/src/features/<area>/pages.ts`. If two addresses match a path, the first one in the table wins.
 */
export const appPages = {
  '/account': 'account',
  '/account/profile': 'account',
  '/account/tokens/new': 'account',
  '/account/apps': 'apps',
  '/account/apps/new': 'apps',
  '/account/apps/{app}': 'apps',
  '/account/security': 'security',
  '/account/new-score': 'scores',
  '/organization/members': 'members',
  '/organization/members/{member}': 'members',
  '/organization/invitations': 'members',
  '/organization/settings': 'organization',
  '/organization/audit-log': 'audit-log',
} as const

/** Paths below these belong to the app even if no page has the address. The app shows its not-found page there. */
export const appFolders = ['/account', '/organization'] as const

export type AppAddress = keyof typeof appPages
export type AppArea = (typeof appPages)[AppAddress]

/** The links of the navigation, with the keys of their texts. Pages of the server and of the app show the same ones. */
const navigation = [
  { address: '/account', text: 'nav.account' },
  { address: '/account/profile', text: 'profile.title' },
  { address: '/account/apps', text: 'nav.apps' },
  { address: '/account/security', text: 'nav.security' },
  { address: '/account/new-score', text: 'newScore.title' },
  { address: '/organization/members', text: 'members.title', roles: ['admin', 'accountAdmin'] },
  { address: '/organization/invitations', text: 'invitations.title', roles: ['admin', 'accountAdmin'] },
  { address: '/organization/settings', text: 'organization.title', roles: ['admin', 'accountAdmin'] },
  { address: '/organization/audit-log', text: 'audit.title', roles: ['admin', 'accountAdmin'] },
] as const satisfies readonly { address: AppAddress; text: string; roles?: readonly OrganizationRole[] }[]

export type NavigationLink = (typeof navigation)[number]

/**
 * Returns the links of the navigation for a user.
 * @param role the role in the organization; null for an individual account
 */
export const navigationFor = (role: OrganizationRole | null): readonly NavigationLink[] =>
  navigation.filter((link) => !('roles' in link) || link.roles.some((allowed) => allowed === role))

type ParameterNames<Address extends string> = Address extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

/** The parameters of an address: `{ app: string }` for `/account/apps/{app}`. */
export type AddressParameters<Address extends AppAddress> = Readonly<Record<ParameterNames<Address>, string>>

export const appAddresses = Object.keys(appPages) as AppAddress[]

/**
 * Returns the path of a page.
 * @example pathTo('/account/apps/{app}', { app: 'a/b' }) // '/account/apps/a%2Fb'
 */
export function pathTo<Address extends AppAddress>(
  address: Address,
  ...[parameters]: [ParameterNames<Address>] extends [never] ? [] : [AddressParameters<Address>]
): string {
  return filledPath(address, parameters ?? {})
}

const patterns = appAddresses.map((address) => ({
  address,
  pattern: new RegExp(`^${address.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
}))

/**
 * Finds the page at a path and decodes the parameters.
 * @param path the path of a URL, without query and hash
 * @returns undefined if no address matches
 */
export function matchPath(
  path: string,
): { address: AppAddress; parameters: Readonly<Record<string, string>> } | undefined {
  for (const { address, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match) return decode(address, match.groups ?? {})
  }
  return undefined
}

function decode(address: AppAddress, groups: Readonly<Record<string, string>>): ReturnType<typeof matchPath> {
  try {
    const parameters = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)])
    return { address, parameters: Object.fromEntries(parameters) }
  } catch (error) {
    // The path has a malformed escape sequence, such as `%E0%A4%A`.
    if (error instanceof URIError) return undefined
    throw error
  }
}
