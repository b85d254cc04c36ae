// Not in account.ts, so that the browser app does not load the schemas.

/** The available lifetimes of a personal token, in days. */
export const tokenLifetimes = [30, 90, 365] as const

/** Maximum size of the logo of an app, in bytes. */
export const maxLogoBytes = 100 * 1024

/** The maximum length of what users write about themselves, in characters. */
export const maxBioLength = 1000
