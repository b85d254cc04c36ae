/** The addresses at which the browser app shows a page: the server answers each with the app. */
export const accountPages = [
  '/account',
  '/account/tokens/new',
  '/account/apps',
  '/account/apps/new',
  '/account/security',
  '/account/audit-log',
] as const
export type AccountPage = (typeof accountPages)[number]
