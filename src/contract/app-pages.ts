import { filledPath } from './filled-path.ts'
import type { IconName } from './icons.ts'
import type { OrganizationRole } from './users.ts'

/**
 * The pages of the browser app: the address of each page and the area it belongs to. A segment in braces is a
 * parameter. The server answers every address with the app, and the app loads the pages of one area together, from
 * `web/src/features/<area>/pages.ts`. If two addresses match a path, the first one in the table wins.
 */
export const appPages = {
  '/': 'library',
  '/scores': 'library',
  '/scores/new': 'new-score',
  '/scores/shared': 'library',
  '/scores/liked': 'library',
  '/scores/trash': 'library',
  '/scores/collections/{collection}': 'library',
  '/scores/{score}/history': 'score-history',
  '/scores/{score}': 'score',
  '/scores/{score}/edit': 'score',
  '/scores/{score}/sync': 'score',
  '/classes': 'classes',
  '/classes/new': 'classes',
  '/classes/{class}': 'classes',
  '/classes/{class}/code': 'classes',
  '/classes/{class}/people': 'classes',
  '/classes/{class}/sign-in': 'class-sign-in',
  '/classes/{class}/settings': 'classes',
  '/classes/{class}/gradebook': 'review',
  '/classes/{class}/work/new': 'work',
  '/classes/{class}/work/{assignment}': 'work',
  '/classes/{class}/work/{assignment}/edit': 'work',
  '/classes/{class}/work/{assignment}/review': 'review',
  '/library': 'resources',
  '/library/resource/{resource}': 'resources',
  '/library/{folder}': 'resources',
  '/notifications': 'notifications',
  '/join': 'join',
  '/join/{code}': 'join',
  '/users/{user}': 'library',
  '/account': 'account',
  '/account/profile': 'account',
  '/account/security': 'security',
  '/account/developer': 'account',
  '/account/developer/tokens/new': 'account',
  '/account/developer/webhooks/{webhook}': 'account',
  '/account/developer/apps': 'apps',
  '/account/developer/apps/new': 'apps',
  '/account/developer/apps/{app}': 'apps',
  '/organization/members': 'members',
  '/organization/members/import': 'members',
  '/organization/members/{member}': 'members',
  '/organization/invitations': 'members',
  '/organization/classes': 'organization',
  '/organization/settings': 'organization',
  '/organization/audit-log': 'audit-log',
} as const

/** Paths below these belong to the app even if no page has the address. The app shows its not-found page there. */
export const appFolders = ['/scores', '/classes', '/library', '/account', '/organization'] as const

export type AppAddress = keyof typeof appPages
export type AppArea = (typeof appPages)[AppAddress]

/** Earlier addresses of pages, and addresses that answers of the interface name, with the addresses that replace them. */
export const movedPages = {
  '/account/new-score': '/scores/new',
  '/account/tokens/new': '/account/developer/tokens/new',
  '/account/apps': '/account/developer/apps',
  '/account/apps/new': '/account/developer/apps/new',
  '/account/apps/{app}': '/account/developer/apps/{app}',
  '/collections/{collection}': '/scores/collections/{collection}',
} as const satisfies Readonly<Record<string, AppAddress>>

/**
 * Whom the server answers with a page: `everyone`, also without a session; `user`, every signed-in user; or `owner`, a user whose
 * session is not delegated, because only the owner of the account can be at the browser.
 */
export type PageAccess = 'everyone' | 'user' | 'owner'

/** @param path an address of a page, or a folder of the app */
export function accessTo(path: string): PageAccess {
  // Everybody can open a public score and a public profile. The operations know which ones are public.
  if (path === '/scores/{score}' || path === '/users/{user}') return 'everyone'
  return /^\/(?:account|organization|notifications)(?:\/|$)/.test(path) ? 'owner' : 'user'
}

/** A link with the key of its text. */
interface PageLink {
  readonly address: AppAddress
  readonly text: string
}

/** A link of the main navigation. */
interface SectionLink extends PageLink {
  /** All pages below this path belong to the section. */
  readonly folder: string
  readonly icon: IconName
  /** The pages that the section shows as tabs. */
  readonly pages: readonly PageLink[]
}

const sections = {
  home: { address: '/', folder: '/', text: 'nav.home', icon: 'home', pages: [] },
  scores: { address: '/scores', folder: '/scores', text: 'nav.scores', icon: 'scores', pages: [] },
  classes: { address: '/classes', folder: '/classes', text: 'nav.classes', icon: 'classes', pages: [] },
  resources: { address: '/library', folder: '/library', text: 'nav.resources', icon: 'read', pages: [] },
  organization: {
    address: '/organization/members',
    folder: '/organization',
    text: 'nav.organization',
    icon: 'people',
    pages: [
      { address: '/organization/members', text: 'members.title' },
      { address: '/organization/invitations', text: 'invitations.title' },
      { address: '/organization/classes', text: 'nav.classes' },
      { address: '/organization/settings', text: 'organization.title' },
      { address: '/organization/audit-log', text: 'audit.title' },
    ],
  },
  account: {
    address: '/account',
    folder: '/account',
    text: 'nav.account',
    icon: 'person',
    pages: [
      { address: '/account', text: 'account.title' },
      { address: '/account/profile', text: 'profile.title' },
      { address: '/account/security', text: 'nav.security' },
      { address: '/account/developer', text: 'developer.title' },
    ],
  },
} as const satisfies Readonly<Record<string, SectionLink>>

export type Section = (typeof sections)[keyof typeof sections]

/** What the navigation needs to know of the user. */
interface NavigationUser {
  /** Null for an individual account. */
  readonly organizationRole: OrganizationRole | null
  /** A delegated session does not open the pages of the account and of the organization. */
  readonly isDelegated: boolean
  /** Simple pages have few entries. Pages of the server do not know them. */
  readonly display?: { readonly simplePages: boolean }
}

/** Returns the links of the main navigation. Pages of the server and of the app show the same ones. */
export function navigationFor({
  organizationRole,
  isDelegated,
  display,
}: NavigationUser): readonly Section[] {
  const { home, scores, classes, resources, organization, account } = sections
  const isAdministrator = organizationRole === 'admin' || organizationRole === 'accountAdmin'
  return [
    home,
    ...(display?.simplePages ? [] : [scores]),
    ...(organizationRole === null ? [] : [classes]),
    // Students and individual accounts have no libraries.
    ...(organizationRole === null || organizationRole === 'user' ? [] : [resources]),
    ...(isAdministrator && !isDelegated ? [organization] : []),
    ...(isDelegated ? [] : [account]),
  ]
}

/** Whether the page at a path belongs to a folder. */
export const isBelow = (folder: string, path: string): boolean =>
  path === folder || (folder !== '/' && path.startsWith(`${folder}/`))

type ParameterNames<Address extends string> = Address extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never

/** The parameters of an address: `{ app: string }` for `/account/developer/apps/{app}`. */
export type AddressParameters<Address extends AppAddress> = Readonly<Record<ParameterNames<Address>, string>>

export const appAddresses = Object.keys(appPages) as AppAddress[]

/**
 * Returns the path of a page.
 * @example pathTo('/scores/{score}', { score: 'a/b' }) // '/scores/a%2Fb'
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
